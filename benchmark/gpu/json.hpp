// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

//! Results as JSON, whose members keep the order in which they are added.
namespace bench {

class json_object {
 public:
  //! Adds a member: text, a number, a truth value, an object, or a list of objects. A number that
  //! is not finite becomes null.
  template <class Value>
  json_object& add(std::string const& name, Value const& value) {
    members_[name] = value;
    return *this;
  }
  [[nodiscard]] std::string text() const { return members_.dump(1); }
  friend void to_json(nlohmann::ordered_json& json, json_object const& object) {
    json = object.members_;
  }

 private:
  nlohmann::ordered_json members_ = nlohmann::ordered_json::object();
};

}  // namespace bench
