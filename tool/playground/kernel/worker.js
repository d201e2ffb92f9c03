// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the worker, behind the program of the kernels: a message has the arguments of
// `mmm-explore emit`, the answer is a message, too. A failure of the program is an answer with
// `failed`: the worker cannot go on after it.
const program = mmm_kernels_module().then((module) => module.cwrap('mmm_kernel', 'string', ['string']));
onmessage = ({data}) => program.then((call) => JSON.parse(call(JSON.stringify(data))))
  .then(postMessage, (failure) => postMessage({error: `The library failed: ${failure}`, failed: true}));
