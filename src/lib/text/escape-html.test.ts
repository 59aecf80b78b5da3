import { describe, expect, it } from 'vitest'
import { escapeHtml } from './escape-html.ts'

describe('escapeHtml', () => {
  it('leaves no sign that begins or ends a tag, an attribute or an entity', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    )
  })

  it('leaves every other sign as it is', () => {
    const others = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(code)).filter(
      (sign) => !`&<>"'`.includes(sign),
    )
    expect(escapeHtml(others.join(''))).toBe(others.join(''))
  })
})
