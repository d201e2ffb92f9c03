// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "modules.hpp"
#include "tables.hpp"

#include <fstream>

namespace device::runtime {

using namespace abi;

namespace {

std::string extent_text(cudaExtent const& e) {
  return std::to_string(e.width) + " x " + std::to_string(e.height) + " x " +
         std::to_string(e.depth) + " bytes";
}

std::string dimensions_text(abi::dim3 const& d) {
  return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z);
}

//! The text in a node.
std::string label_of(process& p, graph_node const& n) {
  switch (type_of(n.task)) {
    case cudaGraphNodeTypeKernel: {
      auto const& k = std::get<kernel_work>(n.task);
      return description_of(p, *k.function, k.device).demangled + "\\n<<<" +
             dimensions_text(k.grid) + " | " + dimensions_text(k.block) + " | " +
             std::to_string(k.shared) + ">>>";
    }
    case cudaGraphNodeTypeMemcpy:
      return "memcpy\\n" + extent_text(std::get<copy_work>(n.task).box.extent);
    case cudaGraphNodeTypeMemset: {
      auto const& rows = std::get<fill_work>(n.task).rows;
      return "memset\\n" + std::to_string(rows.width) + " x " + std::to_string(rows.height);
    }
    case cudaGraphNodeTypeHost:
      return "host function";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeWaitEvent:
      return "event wait";
    case cudaGraphNodeTypeEventRecord:
      return "event record";
    case cudaGraphNodeTypeMemAlloc:
      return "allocation\\n" + std::to_string(std::get<allocate_work>(n.task).params.bytesize) +
             " bytes";
    case cudaGraphNodeTypeMemFree:
      return "free";
    case cudaGraphNodeTypeConditional: {
      char const* const names[] = {"if", "while", "switch"};
      auto const& c = std::get<condition_work>(n.task);
      return std::string(names[c.type]) + "\\ncondition " + std::to_string(c.condition);
    }
    default:
      return "empty";
  }
}

void print(process& p, graph const& g, std::string const& indent, std::ostream& out) {
  for (auto const& n : g.nodes) {
    out << indent << "node_" << n->number << " [label=\"" << label_of(p, *n) << "\"];\n";
    for (dependency const& d : n->after)
      out << indent << "node_" << d.before->number << " -> node_" << n->number << ";\n";
    std::size_t number = 0;
    for (graph const* const inner : embedded_in(n->task)) {
      out << indent << "subgraph cluster_" << n->number;
      if (number++ != 0) out << '_' << number;
      out << " {\n";
      print(p, *inner, indent + "  ", out);
      out << indent << "}\n";
    }
  }
}

}  // namespace

MMM_CUDA_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, char const* path,
                                                unsigned /*flags*/) {
  return api([&](process& p) {
    graph const& g = graph_of(p, handle);
    require(path != nullptr, cudaErrorInvalidValue);
    std::ofstream out(path);
    out << "digraph dot {\n  node [shape=box];\n";
    print(p, g, "  ", out);
    out << "}\n";
    out.close();
    require(!out.fail(), cudaErrorOperatingSystem);
  });
}

}  // namespace device::runtime
