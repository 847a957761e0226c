// SPDX-License-Identifier: Apache-2.0
// {fmt} 9 compiled into this room: as a shared library it would bring the shared C++ runtime back, and as headers it
// doubles the time to compile every file that formats.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
} // namespace detail
FMT_END_NAMESPACE
