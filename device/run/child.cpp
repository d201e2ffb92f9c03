// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "child.hpp"

#include <common/failure.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace run {

namespace {

constexpr int passed_on[] = {SIGINT,  SIGTERM, SIGHUP,   SIGQUIT, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGWINCH, SIGCONT};

volatile pid_t running = 0;

//! Passes a signal on to the child if another process sent it; a terminal sends its signals to the
//! child itself.
void pass_on(int signal, siginfo_t* info, void*) {
  int const before = errno;
  if (info != nullptr && info->si_code <= 0 && running > 0) kill(running, signal);
  errno = before;
}

[[noreturn]] void become(std::string const& path, std::vector<std::string> const& command,
                         variables const& environment, int complain_to, sigset_t const& signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no other process would end it
  for (auto const& [name, value] : environment)
    if (value)
      setenv(name.c_str(), value->c_str(), 1);
    else
      unsetenv(name.c_str());
  std::vector<char*> words;
  for (std::string const& word : command)
    words.push_back(const_cast<char*>(word.c_str()));  // execv does not write to them
  words.push_back(nullptr);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execv(path.c_str(), words.data());
  int const why = errno;
  [[maybe_unused]] ssize_t const written = write(complain_to, &why, sizeof why);
  _exit(127);
}

//! The error number of execv in the child; 0 if it succeeded.
int complaint(int pipe) {
  int why = 0;
  ssize_t n = 0;
  do n = read(pipe, &why, sizeof why);
  while (n < 0 && errno == EINTR);
  close(pipe);
  return n == sizeof why ? why : 0;
}

}  // namespace

int run_child(std::string const& path, std::vector<std::string> const& command,
              variables const& environment) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);  // until the child is there to pass signals on to
  for (int const s : passed_on) {
    struct sigaction old{};
    sigaction(s, nullptr, &old);
    if (old.sa_handler == SIG_IGN)
      continue;  // an ignored signal, as under nohup, stays ignored in the child
    struct sigaction action{};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(s, &action, nullptr);
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw tool::failure(std::string("no pipe: ") + std::strerror(errno));
  pid_t const started = fork();
  if (started == 0) become(path, command, environment, ends[1], before);
  running = started;
  close(ends[1]);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (started < 0) throw tool::failure(path + " cannot be run: " + std::strerror(errno));
  int const why = complaint(ends[0]);
  int status = 0;
  while (waitpid(started, &status, 0) < 0)
    if (errno != EINTR)
      throw tool::failure(std::string("lost sight of the program: ") + std::strerror(errno));
  running = 0;
  if (why != 0) throw tool::failure(path + " cannot be run: " + std::strerror(why));
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  int const signal = WTERMSIG(status);
  std::fprintf(stderr, "mmm-run: %s was ended by signal %d (%s)\n", path.c_str(), signal,
               strsignal(signal));
  return 128 + signal;
}

}  // namespace run
