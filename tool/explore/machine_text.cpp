// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace explore {

nlohmann::ordered_json number_of(double value) {
  if (value == std::floor(value) && std::fabs(value) < 0x1p63) return static_cast<index>(value);
  return value;
}

nlohmann::ordered_json machine_object(options const& o) {
  machine_choice const& m = o.machine;
  nlohmann::ordered_json object{{"kind", name_of(m.kind)}};
  if (m.gpu != nullptr) object["gpu"] = m.gpu;
  if (is_hmm(m.kind)) object["dmms"] = m.dmms;
  if (m.kind != machine_kind::pram) object["width"] = m.width;
  if (is_hmm(m.kind)) {
    object["shared_latency"] = m.shared_latency;
    object["latency"] = m.latency;
    object["ports"] = m.ports;
    if (o.capacity_given) object["capacity"] = m.capacity;
    if (m.kind == machine_kind::clusters) {
      object["cluster"] = m.cluster;
      object["peer_latency"] = m.peer_latency;
    }
  }
  if (m.kind == machine_kind::dmm || m.kind == machine_kind::umm) object["latency"] = m.latency;
  if (m.kind == machine_kind::umm && m.ports != 1) object["ports"] = m.ports;
  return object;
}

std::string machine_in_words(machine_choice const& m) {
  std::string text = (m.gpu == nullptr ? "" : std::string(m.gpu) + ": ") + name_of(m.kind);
  auto const say = [&text](char const* name, index value) {
    text += std::string(text.find(' ') == std::string::npos ? " of " : ", ") + name + " " +
            std::to_string(value);
  };
  if (is_hmm(m.kind)) text += " of " + std::to_string(m.dmms) + (m.dmms == 1 ? " DMM" : " DMMs");
  if (m.kind != machine_kind::pram) say("width", m.width);
  if (is_hmm(m.kind)) say("shared latency", m.shared_latency);
  if (is_hmm(m.kind)) say("global latency", m.latency);
  if (m.kind == machine_kind::clusters) {
    say("DMMs in a cluster", m.cluster);
    say("peer latency", m.peer_latency);
  }
  if (m.kind == machine_kind::dmm || m.kind == machine_kind::umm) say("latency", m.latency);
  if ((m.kind == machine_kind::umm || is_hmm(m.kind)) && m.ports != 1) say("ports", m.ports);
  return text;
}

}  // namespace explore
