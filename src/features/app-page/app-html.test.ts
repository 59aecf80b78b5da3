import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { BootData } from '../../model/accounts/boot-data.ts'
import { fillPage } from './app-html.ts'

const TEMPLATE = `<!doctype html>
<html lang="en" data-theme="system">
  <head>
    <link rel="stylesheet" crossorigin href="./app-12345678.css">
    <script type="application/json" id="boot"></script>
  </head>
</html>`

const bootWith = (name: string): BootData => ({
  root: '../',
  build: 'b',
  version: '1',
  signed_in: {
    user: { uuid: 'u', email: 'a@b.c', first_name: name, last_name: '' },
    via: 'password',
    theme_mode: 'dark',
    scopes: ['*'],
    current_project: 1,
    projects: [],
    project_count: 0,
  },
})

const elementOf = (html: string): string =>
  /<script type="application\/json" id="boot">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ''

it('names its files by where they are, and the theme', () => {
  const html = fillPage(TEMPLATE, bootWith('Ann'), 'dark', '../../static/app/')
  expect(html).toContain('href="../../static/app/app-12345678.css"')
  expect(html).toContain('<html lang="en" data-theme="dark">')
})

it.each(['</script><script>alert(1)</script>', '<!--<script>', '$& $1 $`', '\u2028 & "quoted"'])(
  'has data that stay data: %s',
  (name) => {
    const html = fillPage(TEMPLATE, bootWith(name), 'system', 'static/app/')
    expect(html.match(/<\/?script/g)).toHaveLength(2)
    expect(html).not.toContain('<!--')
    expect(JSON.parse(elementOf(html))).toEqual(bootWith(name))
  },
)

it('has any text as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const html = fillPage(TEMPLATE, bootWith(name), 'system', 'static/app/')
      expect(JSON.parse(elementOf(html))).toEqual(bootWith(name))
    }),
  )
})
