# SPDX-License-Identifier: Apache-2.0
"""The real parts that the host tests are made of: one noun a module, each removes what it made."""
