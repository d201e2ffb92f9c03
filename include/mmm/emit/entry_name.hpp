// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mmm/emit/kernel_problem.hpp>
#include <mmm/emit/kernel_text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

//! The names that emitted functions can have.
namespace mmm::detail {

//! The words of C++ that no function can be named, macros of its library, and names that only some
//! emitted files have.
inline constexpr char const* words_of_cpp =
    "BUFSIZ EOF EXIT_FAILURE EXIT_SUCCESS HUGE_VAL INFINITY NAN NULL RAND_MAX alignas alignof and "
    "and_eq asm bitand bitor bool break case catch char char8_t char16_t "
    "char32_t class compl concept const_cast consteval constinit continue cost_by_library co_await "
    "co_return "
    "co_yield decltype default delete do double dynamic_cast enum export extern false float friend "
    "goto greatest_cost import inline least_cost int long mmm module mutable namespace new "
    "noexcept not not_eq or or_eq private protected "
    "public register reinterpret_cast requires short signed sizeof static std static_assert switch "
    "template this throw true try typedef typeid typename typeof union unsigned using virtual "
    "volatile "
    "wchar_t while xor xor_eq";

//! Functions of C, POSIX and CUDA, which an extern "C" function would replace or contradict, and
//! macros of these.
inline constexpr char const* words_of_c =
    "abort access aligned_alloc alarm asctime assert at_quick_exit atexit atof atoi atol atoll "
    "bcmp bcopy bind bsearch btowc bzero calloc chdir chmod chown clearerr clock close connect "
    "ctime difftime dim3 div dup dup2 environ errno execl execv execve execvp exit fclose fcntl "
    "fdopen feof ferror fflush ffs fgetc fgetpos fgets fgetwc fgetws fileno fopen fork fprintf "
    "fputc fputs fputwc fputws fread free freopen fscanf fseek fsetpos fstat fsync ftell ftruncate "
    "fwide fwprintf fwrite fwscanf getc getchar getcwd getenv getline getopt getpid gets getuid "
    "getwc getwchar gmtime imaxabs imaxdiv index ioctl isalnum isalpha isascii isatty isblank "
    "iscntrl isdigit isgraph islower isprint ispunct isspace isupper iswalnum iswalpha iswblank "
    "iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit "
    "isxdigit kill labs ldiv link linux listen llabs lldiv llmax llmin localeconv localtime "
    "longjmp lseek main malloc mblen mbrlen mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc memchr "
    "memcmp memcpy memmove memset mkdir mkstemp mktime mmap munmap nanosleep nice open optarg "
    "optind pause perror pipe poll popen pclose printf putc putchar putenv puts putwc putwchar "
    "qsort quick_exit raise rand random read readlink realloc realpath recv remove rename rewind "
    "rindex rmdir scanf select send setbuf setenv setjmp setlocale setvbuf sigaction signal "
    "sleep snprintf socket sprintf srand srandom sscanf stat stderr stdin stdout stpcpy strcasecmp "
    "strcat strchr strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncasecmp "
    "strncat strncmp strncpy strndup strnlen strpbrk strrchr strspn strstr strtod strtof strtok "
    "strtol strtold strtoll strtoul strtoull strxfrm swab swprintf swscanf symlink sync syscall "
    "sysconf system tempnam time times tmpfile tmpnam tolower toupper towctrans towlower towupper "
    "truncate ttyname tzset ullmax ullmin umax umin ungetc ungetwc unix unlink unsetenv usleep "
    "vfork vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf "
    "vswscanf vwprintf vwscanf wait waitpid warpSize wcrtomb wcscat wcschr wcscmp wcscoll wcscpy "
    "wcscspn wcsftime wcslen wcsncat wcsncmp wcsncpy wcspbrk wcsrchr wcsrtombs wcsspn wcsstr "
    "wcstod wcstof wcstok wcstol wcstold wcstoll wcstombs wcstoul wcstoull wcsxfrm wctob wctomb "
    "wctrans wctype wmemchr wmemcmp wmemcpy wmemmove wmemset wprintf write wscanf";
//! Functions of the mathematical library, each also with an f or an l at its end.
inline constexpr char const* words_of_mathematics =
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 "
    "cyl_bessel_i1 drem erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide "
    "finite "
    "floor fma fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan isnormal j0 j1 jn ldexp "
    "lgamma llrint llround log log10 log1p log2 logb lrint lround max min modf nan nearbyint "
    "nextafter nexttoward norm norm3d norm4d normcdf normcdfinv pow pow10 rcbrt remainder remquo "
    "rhypot rint rnorm rnorm3d rnorm4d round roundeven rsqrt scalb scalbln scalbn signbit "
    "significand sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn";
//! Beginnings of names of the CUDA runtime, of its driver and of atomic functions, before
//! a capital letter.
inline constexpr std::string_view words_before_a_capital[] = {"cuda", "cu", "atomic"};
//! Beginnings of names of POSIX threads, and of the library's macros.
inline constexpr std::string_view beginnings_of_names[] = {"pthread_", "MMM_"};

//! The name of the function for a problem, if no other is given.
[[nodiscard]] inline std::string default_entry(kernel_problem const& problem) {
  std::string name = std::string("mmm_") + problem.name() + "_" + problem.type.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

inline constexpr std::string_view capital_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
inline constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
inline constexpr std::string_view letters_of_names =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

//! The names that is_entry_name() is true for, in words.
inline constexpr char const* accepted_entry_names =
    "a letter, then letters, digits and single _, up to 64, that is no word of C++ or of the file "
    "and no function of C, POSIX or CUDA";

//! True if a name is one of the words in a text.
[[nodiscard]] inline bool has_word(std::string_view text, std::string_view name) {
  constexpr auto none = std::string_view::npos;
  for (std::size_t k = text.find(name); k != none; k = text.find(name, k + 1)) {
    std::size_t const end = k + name.size();
    if ((k == 0 || letters_of_names.find(text[k - 1]) == none) &&
        (end == text.size() || letters_of_names.find(text[end]) == none))
      return true;
  }
  return false;
}

//! True for a name that libraries of C or CUDA may have.
[[nodiscard]] inline bool is_library_name(std::string_view name) {
  for (std::string_view const beginning : words_before_a_capital)
    if (name.size() > beginning.size() && name.substr(0, beginning.size()) == beginning &&
        capital_letters.find(name[beginning.size()]) != std::string_view::npos)
      return true;
  for (std::string_view const beginning : beginnings_of_names)
    if (name.substr(0, beginning.size()) == beginning) return true;
  if (has_word(words_of_c, name) || has_word(words_of_mathematics, name)) return true;
  return (name.back() == 'f' || name.back() == 'l') &&
         has_word(words_of_mathematics, name.substr(0, name.size() - 1));
}

//! True for a name that an emitted function can have: one of C++ that the files do not use, nor the
//! libraries that they are linked with. Names with two _ in a row are the compiler's.
[[nodiscard]] inline bool is_entry_name(std::string const& name) {
  if (name.empty() || name.size() > 64 || letters.find(name[0]) == std::string_view::npos ||
      name.find_first_not_of(letters_of_names) != std::string::npos ||
      name.find("__") != std::string::npos || name.back() == '_' || is_library_name(name) ||
      has_word(file_text, name) || has_word(words_of_cpp, name))
    return false;
  for (kernel_text const& text : kernel_texts)
    for (char const* const part :
         {text.parameters, text.call, text.strided_parameters, text.strided_demands, text.test})
      if (has_word(part, name)) return false;
  for (value_type const& type : value_types)
    if (has_word(type.spelling, name)) return false;
  return true;
}

}  // namespace mmm::detail
