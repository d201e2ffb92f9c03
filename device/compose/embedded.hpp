// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

//! The functions of a program that has the device in its own process, and asks it for figures and
//! findings: Python's package mmm_device. They may be called from any thread. Texts that they
//! return are UTF-8, and are given back to mmm_device_free.
extern "C" {

//! A part of the run (report::section).
struct mmm_device_section;

//! The version of these functions: that of the project.
int mmm_device_version();
//! Says that the device is in the program's own process, before any other call.
void mmm_device_embed();
//! Begins the device, before any call of CUDA.
//! \param settings  names and values in turn, as runtime::settings lists them, then null
//! Returns null, or the text of the error: what is wrong, and what is accepted.
char* mmm_device_begin(char const* const* settings);
//! The settings of the device as JSON: {"gpu": "h200", "checks": ["race"], "embedded": true}; null
//! if it has not begun.
char* mmm_device_settings();
//! Begins a section, when all that was issued before is done. Null if the device has not begun.
mmm_device_section* mmm_device_begin_section();
//! Ends it, when all that was issued before is done.
void mmm_device_end_section(mmm_device_section*);
//! Kernels and findings (report::json_text), or the page of mmm-run --html, when all that was
//! issued before is done.
char* mmm_device_json(mmm_device_section const*);
char* mmm_device_html(mmm_device_section const*);
//! The first that was asked for and that the device lacks; null if there was none, or if the device
//! is not embedded, when the process ended.
char* mmm_device_refused();
void mmm_device_free_section(mmm_device_section*);
void mmm_device_free(char* text);

}  // extern "C"
