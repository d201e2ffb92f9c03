// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catch.hpp"
#include "processes.hpp"

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

// A process that fails ends the call on all processes, with its message. Differences between
// processes are named.

using checks::own_rank;

namespace {

struct three_words {
  mmm::index words(mmm::index) const { return 3; }
};

// The exception that a process gets.
struct outcome {
  std::string type = "nothing";
  std::string message{};
  std::string nested{};
  mmm::index rank = -1;
};
template <class Call>
outcome outcome_of(Call const& call) {
  outcome found;
  try {
    call();
  } catch (mmm::mpi::rank_failure const& x) {
    found = {"rank_failure", x.what(), "", x.rank()};
    try {
      std::rethrow_if_nested(x);
    } catch (std::exception const& own) {
      found.nested = own.what();
    } catch (...) {
      found.nested = "unknown";
    }
  } catch (std::invalid_argument const& x) {
    found = {"invalid_argument", x.what()};
  } catch (std::logic_error const& x) {
    found = {"logic_error", x.what()};
  } catch (std::exception const& x) {
    found = {"exception", x.what()};
  }
  return found;
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

// An iterator to which nothing can be written on one process.
struct failing_output {
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  mmm::index failing;
  struct place {
    mmm::index failing;
    void operator=(int) const {
      if (own_rank() == failing) throw std::runtime_error("nothing can be written");
    }
  };
  place operator*() const { return {failing}; }
  failing_output& operator++() { return *this; }
};

// An algorithm object with a name only.
struct named {
  static constexpr char const* name = "test-call";
};

// The handle still works.
void check_sum(auto const& on) {
  std::vector<int> const a(static_cast<std::size_t>(own_rank()), 2);
  mmm::index const k = on.nodes();
  CHECK(mmm::sum(on, a.begin(), a.end()) == k * (k - 1));
}

}  // namespace

TEST_CASE("mpi: a body that throws on one process ends the program on all") {
  auto const on = checks::processes();
  for (mmm::index failing = 0; failing < on.nodes(); ++failing)
    for (bool const in_exchange : {false, true}) {
      bool went_on = false;
      auto const found = outcome_of([&] {
        mmm::mpi::run(on, [&](auto const& nodes) {
          auto const a = nodes.template allocate<int>(three_words{});
          auto const b = nodes.template allocate<int>(three_words{});
          auto const body = [&](auto&, mmm::index r) {
            if (r == failing) throw std::out_of_range("at node " + std::to_string(r));
          };
          auto const plan = [&](mmm::index r, mmm::index s) {
            return mmm::piece{
                .source = 0, .target = 0, .words = s == (r + 1) % nodes.nodes() ? 3 : 0};
          };
          if (in_exchange)
            nodes.exchange(a, b, plan, body);
          else
            nodes.each_node(body);
          nodes.exchange(a, b, plan);
          went_on = true;
        });
      });
      CAPTURE(failing, in_exchange);
      CHECK_FALSE(went_on);
      if (on.nodes() == 1) {
        CHECK(found.type == "logic_error");
        CHECK(found.message == "at node 0");
      } else {
        CHECK(found.type == "rank_failure");
        CHECK(found.rank == failing);
        CHECK(found.message == "mmm: process " + std::to_string(failing) + " failed: at node " +
                                   std::to_string(failing));
        CHECK(found.nested == (own_rank() == failing ? "at node " + std::to_string(failing) : ""));
      }
      check_sum(on);
    }
}

TEST_CASE(
    "mpi: of several failures the first process's is reported; all have their own if all fail") {
  auto const on = checks::processes();
  auto const fails_from = [&](mmm::index first) {
    return outcome_of([&] {
      mmm::mpi::run(on, [&](auto const& nodes) {
        nodes.each_node([&](auto&, mmm::index r) {
          if (r >= first) throw std::runtime_error("node " + std::to_string(r));
        });
      });
    });
  };
  auto const all = fails_from(0);
  CHECK(all.type == "exception");
  CHECK(all.message == "node " + std::to_string(own_rank()));
  check_sum(on);
  if (on.nodes() >= 3) {
    auto const some = fails_from(1);
    CHECK(some.rank == 1);
    CHECK(some.nested == (own_rank() == 0 ? "" : "node " + std::to_string(own_rank())));
  }
  check_sum(on);
}

TEST_CASE("mpi: exceptions of other types and long messages") {
  auto const on = checks::processes();
  mmm::index const last = on.nodes() - 1;
  if (last == 0) {
    SUCCEED("one process");
    return;
  }
  auto const unknown = outcome_of([&] {
    mmm::mpi::run(on, [&](auto const& nodes) {
      nodes.each_node([&](auto&, mmm::index r) {
        if (r == last) throw 7;
      });
    });
  });
  CHECK(contains(unknown.message, "an exception that is no std::exception"));
  auto const wordy = outcome_of([&] {
    mmm::mpi::run(on, [&](auto const&) {
      if (own_rank() == last) throw std::runtime_error(std::string(5000, 'x'));
    });
  });
  CHECK(contains(wordy.message, std::string(1000, 'x')));
  CHECK_FALSE(contains(wordy.message, std::string(1001, 'x')));
  check_sum(on);
}

TEST_CASE("mpi: failures in deliveries, in plans and in allocations") {
  auto const on = checks::processes();
  mmm::index const last = on.nodes() - 1;
  if (last == 0) {
    SUCCEED("one process");
    return;
  }
  auto const delivery = outcome_of([&] {
    mmm::mpi::run(on, [&](auto const& nodes) {
      auto const parts = nodes.distribution_of(3);
      failing_output const out{last};
      auto const a = nodes.template results<int>(out, parts);
      nodes.deliver(a, out, parts);
    });
  });
  CHECK(delivery.rank == last);
  CHECK(contains(delivery.message, "nothing can be written"));
  auto const plan = outcome_of([&] {
    mmm::mpi::run(on, [&](auto const& nodes) {
      auto const a = nodes.template allocate<int>(three_words{});
      auto const b = nodes.template allocate<int>(three_words{});
      nodes.exchange(a, b, [&](mmm::index r, mmm::index s) {
        return mmm::piece{
            .source = r == last && s == 0 ? 1 : 0, .target = 0, .words = s == 0 ? 3 : 0};
      });
    });
  });
  CHECK(plan.rank == last);
  CHECK(contains(plan.message, "words 1 to 3 are sent, of 3 at node " + std::to_string(last)));
  auto const allocation = outcome_of([&] {
    mmm::mpi::run(on, [&](auto const& nodes) {
      struct too_many {
        mmm::index words(mmm::index r) const { return r == 0 ? mmm::index{1} << 60 : 0; }
      };
      static_cast<void>(nodes.template allocate<char>(too_many{}));
    });
  });
  CHECK(allocation.rank == 0);
  CHECK(contains(allocation.message, "bad_alloc"));
  check_sum(on);
}

TEST_CASE("mpi: an argument check that fails on one process ends the call on all") {
  auto const on = checks::processes();
  if (on.nodes() == 1) {
    SUCCEED("one process");
    return;
  }
  std::vector<float> const a(4, 1.0F);
  auto const found = outcome_of([&] {  // a negative size on process 1
    static_cast<void>(own_rank() == 1 ? mmm::sum(on, a.data() + 4, a.data())
                                      : mmm::sum(on, a.data(), a.data() + 4));
  });
  CHECK(found.type == "rank_failure");
  CHECK(found.rank == 1);
  check_sum(on);
  auto const nothing = outcome_of([&] {  // on all: their own exception
    static_cast<void>(mmm::sum(on, a.data(), a.data(), mmm::minimum{}));
  });
  CHECK(nothing.type == "invalid_argument");
  check_sum(on);
}

TEST_CASE("mpi: an operator that throws on one process between the operations of a call") {
  auto const on = checks::processes();
  std::vector<int> const a(4, 1);
  // process 1 fails while it adds to its words, later ones while they add up others' sums
  for (mmm::index failing = 1; failing < on.nodes(); ++failing) {
    auto const plus = [failing](int x, int y) {
      if (own_rank() == failing && x + y > 7) throw std::runtime_error("too large");
      return x + y;
    };
    std::vector<int> b(4);
    auto const found =
        outcome_of([&] { mmm::prefix_sums(on, a.begin(), a.end(), b.begin(), plus); });
    CAPTURE(failing);
    CHECK(found.type == "rank_failure");
    CHECK(found.rank == failing);
    CHECK(contains(found.message, "too large"));
    check_sum(on);
  }
  check_sum(on);
}

TEST_CASE("mpi: plans of an exchange that differ between sender and receiver are named") {
  auto const on = checks::processes();
  mmm::index const last = on.nodes() - 1;
  // process 0 sends `sent` words to the last one, which expects 2
  auto const sends = [&](mmm::index sent) {
    return outcome_of([&] {
      mmm::mpi::run(on, [&](auto const& nodes) {
        auto const a = nodes.template allocate<int>(three_words{});
        auto const b = nodes.template allocate<int>(three_words{});
        nodes.exchange(a, b, [&](mmm::index r, mmm::index s) {
          return mmm::piece{.words = r != 0 || s != last ? 0 : own_rank() == last ? 2 : sent};
        });
      });
    });
  };
  CHECK(sends(2).type == "nothing");
  if (last > 0)
    for (mmm::index const sent : {0, 1, 3}) {
      auto const found = sends(sent);
      CHECK(found.type == "invalid_argument");
      CHECK(found.message == "mmm: the plan of an exchange differs between processes: process 0 "
                             "sends " +
                                 std::to_string(sent) + " words to process " +
                                 std::to_string(last) + ", which expects 2");
    }
  check_sum(on);
}

TEST_CASE("mpi: plans of two exchanges at once that differ are named, also if their sums agree") {
  auto const on = checks::processes();
  mmm::index const last = on.nodes() - 1;
  // process 0 sends 3 and 1 words to the last one, which expects `first` and `second`
  auto const expects = [&](mmm::index first, mmm::index second) {
    return outcome_of([&] {
      mmm::mpi::run(on, [&](auto const& nodes) {
        auto const transfer_of = [&](mmm::index sent, mmm::index expected) {
          return mmm::transfer{
              nodes.template allocate<int>(three_words{}),
              nodes.template allocate<int>(three_words{}), [=](mmm::index r, mmm::index s) {
                bool const none = r != 0 || s != last;
                return mmm::piece{.words = none ? 0 : own_rank() == last ? expected : sent};
              }};
        };
        nodes.exchange(transfer_of(3, first), transfer_of(1, second));
      });
    });
  };
  CHECK(expects(3, 1).type == "nothing");
  if (last == 0) return;
  std::string const text =
      "mmm: the plan of an exchange differs between processes: process 0 sends ";
  std::string const to_last = " words to process " + std::to_string(last) + ", which expects ";
  CHECK(expects(3, 2).message == text + "1" + to_last + "2");
  CHECK(expects(1, 3).message == text + "3" + to_last + "1");
  check_sum(on);
}

TEST_CASE("mpi: an exchange within one array is refused on all") {
  auto const on = checks::processes();
  auto const found = outcome_of([&] {
    mmm::mpi::run(on, [](auto const& nodes) {
      auto const a = nodes.template allocate<int>(three_words{});
      nodes.exchange(a, a, [](mmm::index, mmm::index) { return mmm::piece{}; });
    });
  });
  CHECK(found.type == "logic_error");
  CHECK(found.message == "mmm: the source and the target of messages are one array");
  check_sum(on);
}

TEST_CASE("mpi: calls that differ between processes are named") {
  auto const on = checks::processes();
  if (on.nodes() == 1) {
    SUCCEED("one process");
    return;
  }
  std::vector<float> const a(4, 1.0F);
  std::vector<int> const b(4, 1);
  auto const check = [&](auto const& first, auto const& others, std::string const& one,
                         std::string const& other) {
    auto const found = outcome_of([&] {
      if (own_rank() == 0)
        first();
      else
        others();
    });
    CHECK(found.type == "invalid_argument");
    CAPTURE(found.message);
    auto const place = found.message.find("process 1: ");
    CHECK(contains(found.message, "the processes' calls differ: process 0: "));
    CHECK(contains(found.message.substr(0, place), one));
    CHECK(contains(found.message.substr(place), other));
    check_sum(on);
  };
  auto const sum = [&] { static_cast<void>(mmm::sum(on, a.begin(), a.end())); };
  check(
      sum, [&] { static_cast<void>(mmm::sum(on, b.begin(), b.end())); }, "words of type float",
      "words of type int");
  check(
      sum, [&] { static_cast<void>(mmm::sum(on, a.begin(), a.end(), mmm::maximum{})); }, "plus",
      "maximum");
  check(sum, [&] { mmm::mpi::run(on, [](auto const&) {}); }, "sum", "mmm::mpi::run");
  auto const sum_after = [&](auto initial) {
    return [&on, &b, initial] {
      static_cast<void>(mmm::sum(on, b.begin(), b.end(), mmm::init(initial)));
    };
  };
  check(sum_after(5), sum_after(6), "initial value 5", "initial value 6");
  check(sum_after(0.5), sum_after(0.25), "initial value 0.5", "initial value 0.25");
  auto const scan_after = [&](int initial) {
    return [&on, &b, initial] {
      std::vector<int> sums(b.size());
      mmm::exclusive_prefix_sums(on, b.begin(), b.end(), sums.begin(), mmm::init(initial));
    };
  };
  check(scan_after(5), scan_after(-5), "initial value 5", "initial value -5");
  auto const run = [&](auto const& operation) {
    return [&on, operation] {
      mmm::mpi::run(on, [&](auto const& nodes) {
        auto const x = nodes.each_node([](auto&, mmm::index r) { return r; });
        operation(nodes, x);
      });
    };
  };
  check(run([](auto const& nodes, auto const& x) { nodes.all_gather(x); }),
        run([](auto const& nodes, auto const& x) { nodes.all_reduce(x, mmm::plus{}); }),
        "all_gather", "all_reduce");
  check(run([](auto const& nodes, auto const& x) { nodes.all_gather(x); }),
        run([](auto const&, auto const&) {}), "all_gather", "the end");
  auto const reduces = [&]<class T>(T one) {
    return run([one](auto const& nodes, auto const&) {
      nodes.all_reduce(nodes.each_node([one](auto&, mmm::index) { return one; }), mmm::plus{});
    });
  };
  check(reduces(1), reduces(1.0), "of int", "of double");
  auto const scans = [&]<class T>(T one) {
    return run([one](auto const& nodes, auto const&) {
      nodes.exclusive_scan(nodes.each_node([one](auto&, mmm::index) { return one; }), mmm::plus{},
                           one);
    });
  };
  check(scans(1), scans(1.0F), "of int", "of float");
  auto const sorts = [&](auto const& order) {
    return [&on, order] {
      std::vector<int> keys(4, own_rank() == 0 ? 2 : 1);
      mmm::sort(on, keys.begin(), keys.end(), order);
    };
  };
  check(sorts(mmm::ascending{}), sorts(mmm::descending{}), "ascending", "descending");
  auto const broadcast = [&](mmm::index root) {
    return run([root](auto const& nodes, auto const&) {
      auto const c = nodes.template allocate<int>(three_words{});
      auto const d = nodes.template allocate<int>(three_words{});
      nodes.broadcast(nodes.all_nodes(), root, c, d);
    });
  };
  check(broadcast(0), broadcast(1), "on member 0", "on member 1");
  auto const blocks = [&](mmm::index n) {
    return run([n](auto const& nodes, auto const& x) {
      static_cast<void>(nodes.blocks(n));
      nodes.all_gather(x);
    });
  };
  check(blocks(100), blocks(101), "blocks of 100", "blocks of 101");
  auto const with_taps = [&](mmm::index number) {
    return [&on, number] {
      mmm::detail::call_parameters const given{mmm::detail::call_parameter{"taps", number}};
      mmm::detail::called<named>(on, given, [] {});
    };
  };
  check(with_taps(3), with_taps(4), "test-call: called, taps 3", "test-call: called, taps 4");
}

TEST_CASE("mpi: words that all processes give alike, and differ, are named") {
  auto const on = checks::processes();
  mmm::index const last = on.nodes() - 1;
  auto const convolve = [&]<class T>(T tap) {
    return outcome_of([&] {
      std::vector<T> taps{T{1}, T{2}, own_rank() == last ? tap : T{3}};
      std::vector<T> const y(own_rank() == last ? 6 : 4, T{1});
      std::vector<T> z(4);
      mmm::convolution(on, taps.begin(), taps.end(), y.begin(), y.end(), z.begin(), z.end());
    });
  };
  auto const with_kernel = [&](int word) {
    return outcome_of([&] {
      std::vector<int> kernel(9, 1);
      if (own_rank() == last) kernel[8] = word;
      mmm::shape const image(3 * on.nodes(), 4);
      std::vector<int> const a(12, 1);
      std::vector<int> b(12);
      mmm::image_convolution(on, a.begin(), image, kernel.begin(), mmm::radius(1), b.begin());
    });
  };
  CHECK(convolve(3).type == "nothing");
  CHECK(convolve(0.0F + 3).type == "nothing");
  CHECK(with_kernel(1).type == "nothing");
  if (last == 0) return;
  auto const check = [&](outcome const& found, std::string const& name) {
    CHECK(found.type == "invalid_argument");
    CAPTURE(found.message);
    auto const place = found.message.find("process " + std::to_string(last) + ": ");
    REQUIRE(place != std::string::npos);
    CHECK(contains(found.message.substr(0, place), name));
    CHECK(contains(found.message.substr(place), name));
    check_sum(on);
  };
  check(convolve(4), "convolution: ");
  check(convolve(4), "with the hash ");
  check(convolve(3.5F), "taps of float");
  check(convolve(3.0000000000001), "with the hash ");
  check(with_kernel(2), "a kernel of int");
}

namespace {

struct with_padding {
  char first;
  int second;
};
enum class letter : unsigned char { a, b };
struct pair_of_integers {
  int first;
  int second;
};

}  // namespace

TEST_CASE("mpi: hashes of words tell numbers and classes without padding apart") {
  using mmm::detail::empty_hash;
  using mmm::detail::has_comparable_bits;
  using mmm::detail::hash_after_word;
  STATIC_REQUIRE(has_comparable_bits<bool>);
  STATIC_REQUIRE(has_comparable_bits<long double>);
  STATIC_REQUIRE(has_comparable_bits<letter>);
  STATIC_REQUIRE(has_comparable_bits<pair_of_integers>);
  STATIC_REQUIRE_FALSE(has_comparable_bits<with_padding>);
  auto const hash = [](auto const& x) { return hash_after_word(empty_hash, x); };
  CHECK(hash(1) != hash(2));
  CHECK(hash(-1) != hash(1));
  CHECK(hash(0.0) != hash(-0.0));
  CHECK(hash(1.0L) == hash(1.0L));
  CHECK(hash(letter::a) != hash(letter::b));
  CHECK(hash(pair_of_integers{1, 2}) == hash(pair_of_integers{1, 2}));
  CHECK(hash(pair_of_integers{1, 2}) != hash(pair_of_integers{2, 1}));
  CHECK(hash_after_word(hash(1), 2) != hash_after_word(hash(2), 1));
}

TEST_CASE("mpi: members that give different numbers of words to a reduction are refused") {
  auto const on = checks::processes();
  mmm::index const last = on.nodes() - 1;
  if (last == 0) {
    SUCCEED("one process");
    return;
  }
  struct one_differs {
    mmm::index rank;
    mmm::index words(mmm::index r) const { return r == rank ? 2 : 3; }
  };
  auto const reduce = [last](auto const& nodes) {
    auto const a = nodes.template allocate<int>(one_differs{last});
    auto const b = nodes.template allocate<int>(three_words{});
    nodes.reduce(nodes.all_nodes(), 0, a, b, mmm::plus{});
  };
  auto const found = outcome_of([&] { mmm::mpi::run(on, reduce); });
  CHECK(found.type == "invalid_argument");
  CHECK(found.message == outcome_of([&] { checks::simulated(reduce); }).message);
  CHECK(contains(found.message, "gives 2 words to a reduction; accepted: 3"));
  check_sum(on);
}

TEST_CASE("mpi: a communicator with another number of processes than nodes is refused on all") {
  mmm::index const k = checks::number_of_processes();
  auto const found = outcome_of([&] {
    static_cast<void>(mmm::mpi::on(MPI_COMM_WORLD, checks::node_handle(mmm::threads(1)),
                                   checks::cluster_machine(k + 1)));
  });
  CHECK(found.type == "invalid_argument");
  CHECK(found.message == "mmm: the number of the communicator's processes is " + std::to_string(k) +
                             "; accepted: " + std::to_string(k + 1) +
                             ", the number of the machine's nodes");
  if (k > 1) {  // on one process only
    auto const other = outcome_of([&] {
      static_cast<void>(mmm::mpi::on(MPI_COMM_WORLD, checks::node_handle(mmm::threads(1)),
                                     checks::cluster_machine(own_rank() == 1 ? 1 : k)));
    });
    CHECK(other.type == "rank_failure");
    CHECK(other.rank == 1);
  }
}

TEST_CASE("mpi: communicators that are none are refused") {
  auto const found = outcome_of(
      [] { static_cast<void>(mmm::mpi::on(MPI_COMM_NULL, checks::node_handle(mmm::threads(1)))); });
  CHECK(found.type == "invalid_argument");
  CHECK(contains(found.message, "MPI_COMM_NULL"));
  if (checks::number_of_processes() == 1) return;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, own_rank() == 0 ? 0 : 1, 0, &part);
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, own_rank() == 0 ? 1 : 0, 5, &between);
  auto const two = outcome_of(
      [&] { static_cast<void>(mmm::mpi::on(between, checks::node_handle(mmm::threads(1)))); });
  CHECK(two.type == "invalid_argument");
  CHECK(contains(two.message, "two groups"));
  MPI_Comm_free(&between);
  MPI_Comm_free(&part);
}

TEST_CASE("mpi: a negative time until the job ends is refused") {
  auto const on = checks::processes();
  auto const found = outcome_of([&] { on.end_job_after(std::chrono::milliseconds(-1)); });
  CHECK(found.type == "invalid_argument");
  CHECK(found.message ==
        "mmm: the time until the job ends, in milliseconds is -1; accepted: 0 or more");
}

TEST_CASE("mpi: operations outside of a call are refused") {
  auto const on = checks::processes();
  auto const refused = [](auto const& operation) {
    auto const found = outcome_of(operation);
    CHECK(found.type == "logic_error");
    CHECK(contains(found.message, "outside of a call"));
  };
  refused([&] { on.each_node([](auto&, mmm::index) {}); });
  refused([&] { static_cast<void>(on.blocks(5)); });
  refused([&] { static_cast<void>(on.distribution_of(5)); });
  refused([&] { static_cast<void>(on.template allocate<int>(three_words{})); });
  auto const x = mmm::mpi::run(
      on, [](auto const& nodes) { return nodes.each_node([](auto&, mmm::index r) { return r; }); });
  refused([&] { static_cast<void>(on.all_gather(x)); });
  refused([&] { static_cast<void>(on.all_reduce(x, mmm::plus{})); });
  refused([&] { static_cast<void>(on.exclusive_scan(x, mmm::plus{}, mmm::index{0})); });
  auto const a = mmm::mpi::run(
      on, [](auto const& nodes) { return nodes.template allocate<int>(three_words{}); });
  auto const b = mmm::mpi::run(
      on, [](auto const& nodes) { return nodes.template allocate<int>(three_words{}); });
  refused([&] { on.exchange(a, b, [](mmm::index, mmm::index) { return mmm::piece{}; }); });
  refused([&] { on.broadcast(on.all_nodes(), 0, a, b); });
  refused([&] { on.reduce(on.all_nodes(), 0, a, b, mmm::plus{}); });
}

TEST_CASE("mpi: a failure that a program catches in a call within it") {
  auto const on = checks::processes();
  mmm::index caught = 0;
  std::vector<int> const a(2, 1);
  int sum = 0;
  mmm::mpi::run(on, [&](auto const& nodes) {
    try {
      mmm::mpi::run(nodes, [](auto const& inner) {
        inner.each_node([](auto&, mmm::index r) {
          if (r == 0) throw std::runtime_error("caught");
        });
      });
    } catch (std::runtime_error const&) {
      ++caught;
    }
    sum = mmm::sum(nodes, a.begin(), a.end());
  });
  CHECK(caught == 1);
  CHECK(sum == 2 * on.nodes());
}

TEST_CASE("mpi: after a call's last agreement a process fails alone, and nothing waits for it") {
  auto const on = checks::processes();
  auto const found = outcome_of([&] {
    on.agreed("test", [&] {
      auto const x = on.each_node([](auto&, mmm::index r) { return r; });
      static_cast<void>(on.all_reduce(x, mmm::plus{}));
      if (own_rank() == 0) throw std::runtime_error("alone");
    });
  });
  CHECK(found.message == (own_rank() == 0 ? "alone" : ""));
  check_sum(on);
}

TEST_CASE("mpi: errors of MPI are exceptions with the function's name") {
  auto const on = checks::processes();
  std::string const text = mmm::mpi::error("MPI_Bcast", MPI_ERR_COUNT).what();
  CHECK(contains(text, "MPI_Bcast"));
  CHECK(mmm::mpi::error("MPI_Bcast", MPI_ERR_COUNT).code() == MPI_ERR_COUNT);
  CHECK_THROWS_AS(mmm::detail::demand_success("MPI_Bcast", MPI_ERR_COUNT), mmm::mpi::error);
}
