// SPDX-License-Identifier: Apache-2.0
// The theme of VitePress, with site.css. prepare.mjs copies this file to where VitePress looks for a theme.
import DefaultTheme from 'vitepress/theme'
import './site.css'

export default DefaultTheme
