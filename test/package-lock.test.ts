/**
 * What an install of package-lock.json relies on: every package runs on the oldest Node that package.json names (else
 * `npm ci` warns of EBADENGINE), on x64 and arm64 Linux alike, from whichever registry the installer has, and what runs
 * while it is installed is known. The clients that tests fetch are pinned as well.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLIENTS } from './support/clients/client-packages.ts'

const ROOT = new URL('..', import.meta.url).pathname

interface Locked {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
  hasInstallScript?: boolean
  cpu?: string[]
  os?: string[]
}

const readJson = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

const locked = Object.entries<Locked>(readJson('package-lock.json').packages).filter(([path]) => path !== '')

/** Packages of the lock whose `engines` refuse this version, by npm's own reading of ranges. */
function refusing(node: string): string[] {
  const selector = `*:attr(engines, [node]):not(:semver(${node}, :attr(engines, [node])))`
  const found = execFileSync('npm', ['query', '--package-lock-only', selector], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(found).map((found: { pkgid: string; engines: { node: string } }) => {
    return `${found.pkgid} wants ${found.engines.node}`
  })
}

it('runs on the oldest Node that package.json names', () => {
  const oldest = /^>=(\d+\.\d+)$/.exec(readJson('package.json').engines.node)?.[1]
  expect(oldest).toBe('20.20')
  expect(refusing(`${oldest}.0`)).toEqual([])
})

it('would be noticed to want a newer Node', () => {
  expect(refusing('12.0.0').length).toBeGreaterThan(20)
})

it('names no registry', () => {
  expect(locked.length).toBeGreaterThan(100)
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
})

it('has install scripts only where package.json says whether they run', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  const names = scripted.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(names.sort()).toEqual(Object.keys(readJson('package.json').allowScripts).sort())
})

it('has every native package for x64 and for arm64 Linux', () => {
  const native = locked.filter(([, { os, cpu }]) => os?.includes('linux') && cpu?.length === 1)
  const ids = new Set(native.map(([path, { version }]) => `${path}@${version}`))
  const lone = [...ids].filter((id) => {
    if (/\bx64\b/.test(id)) return !ids.has(id.replace(/\bx64\b/, 'arm64'))
    return /\barm64\b/.test(id) && !ids.has(id.replace(/\barm64\b/, 'x64'))
  })
  expect(ids.size).toBeGreaterThan(10)
  expect(lone).toEqual([])
})

// A registry that lacks a binary silently leaves it out of the lock; `npm ci` then refuses the lock elsewhere.
it('has every optional package that another one names', () => {
  const paths = new Set(locked.map(([path]) => path))
  const isThere = (from: string, name: string) =>
    paths.has(`${from}/node_modules/${name}`) || paths.has(`node_modules/${name}`)
  const missing = locked.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isThere(path, name))
      .map((name) => `${path} → ${name}`),
  )
  expect(missing).toEqual([])
})

it('has a sha512 of every package of the fetched clients, of no other, and no registry', () => {
  const named = Object.entries(CLIENTS.clients).flatMap(([id, { with: others = [] }]) => [id, ...others])
  expect(Object.keys(CLIENTS.clients).length).toBeGreaterThan(25)
  expect(Object.keys(CLIENTS.integrity).sort()).toEqual([...new Set(named)].sort())
  expect(Object.keys(CLIENTS.integrity).filter((id) => !/^(?:@[a-z]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+$/.test(id))).toEqual(
    [],
  )
  const hashes = Object.values(CLIENTS.integrity).map((text) => /^sha512-(.+)$/.exec(text)?.[1] ?? '')
  expect(hashes.filter((hash) => Buffer.from(hash, 'base64').length !== 64)).toEqual([])
  expect(CLIENTS.inTests.filter((id) => CLIENTS.clients[id] === undefined)).toEqual([])
  expect(readFileSync(join(ROOT, 'test/support/clients/packages.json'), 'utf8')).not.toMatch(/https?:|registry/)
})
