/** The browser of the tests, unless CHROMIUM_PATH names one: Debian's Chromium without a window, which takes two thirds of the time. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'
