/** A visitor without a mouse. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What has the focus: its name, and whether one can see that it has. */
export const focused = (page: Page): Promise<{ name: string; isSeen: boolean }> =>
  page.evaluate(`(() => {
    const { activeElement } = document
    const { outlineStyle, outlineWidth } = getComputedStyle(activeElement)
    const label = activeElement.labels?.[0]?.textContent ?? activeElement.textContent
    const name = activeElement === document.body ? 'nothing' : activeElement.getAttribute('aria-label') ?? label
    return { name: name.trim(), isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 }
  })()`)

const MOST_PRESSES = 100

/** Presses Tab until this has the focus, which has to be seen wherever it is on the way. */
export async function tabTo(page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = []
  while (passed.length < MOST_PRESSES) {
    await page.keyboard.press(key)
    const at = await focused(page)
    // From the last thing it goes to the browser's own buttons, and from there to the first.
    if (at.name !== 'nothing') expect(at).toEqual({ name: at.name, isSeen: true })
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return
    passed.push(at.name)
  }
  throw new Error(`“${name}” is not reached by Tab, but ${[...new Set(passed)].join(', ')}.`)
}

/** Goes there and presses it. */
export async function press(page: Page, name: string | RegExp, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}
