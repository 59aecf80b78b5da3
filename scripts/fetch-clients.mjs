/**
 * Fetches the clients that the tests run, each with what it depends on, into a folder of its own below
 * node_modules/.cache/clients (or CLIENTS_DIR). test/support/clients/packages.json names them, their files that are
 * needed and the sha512 of every tarball: one with other bytes is refused. They come from whichever registry npm has;
 * no script of theirs is run. What is there already is not fetched again.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const ROOT = new URL('..', import.meta.url).pathname
const SUPPORT = join(ROOT, 'test/support/clients')
/** What the folder was made of: another pin, file or host makes it anew. */
const MARK = 'made-of.json'

const { inTests, clients, integrity } = JSON.parse(readFileSync(join(SUPPORT, 'packages.json'), 'utf8'))
const cache = process.env.CLIENTS_DIR ?? join(ROOT, 'node_modules/.cache/clients')

const folderOf = (id) => join(cache, id.replace('/', '-'))
const packagesOf = (id) => [id, ...(clients[id].with ?? [])]
const nameOf = (id) => id.slice(0, id.lastIndexOf('@'))
const hostFile = (name) => join(SUPPORT, 'hosts', `${name}.cjs`)
const sha512 = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`

function madeOf(id) {
  const pins = packagesOf(id).map((name) => [name, integrity[name]])
  const hosts = (clients[id].hosts ?? []).map((name) => [name, sha512(hostFile(name))])
  return JSON.stringify({ pins, files: clients[id].files ?? null, hosts })
}

function isThere(id) {
  const mark = join(folderOf(id), MARK)
  return existsSync(mark) && readFileSync(mark, 'utf8') === madeOf(id)
}

/** Tarballs by their pins. They are told apart by their bytes, so no name that npm chooses for a file matters. */
function download(ids, folder) {
  mkdirSync(folder)
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...ids]
  execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  const found = new Map(readdirSync(folder).map((name) => [sha512(join(folder, name)), join(folder, name)]))
  const wrong = ids.filter((id) => !found.has(integrity[id]))
  if (wrong.length > 0) {
    const others = [...found].filter(([hash]) => !Object.values(integrity).includes(hash))
    const seen = others.map(([hash, path]) => `${path.slice(folder.length + 1)} has ${hash}`)
    throw new Error(`The registry has other bytes than are pinned for ${wrong.join(', ')}. ${seen.join('; ')}`)
  }
  return found
}

function unpack(tarball, folder, files) {
  mkdirSync(folder, { recursive: true })
  const members = files?.map((name) => `package/${name}`) ?? []
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', ...members])
}

/** Complete or not there at all: it is made elsewhere and renamed. */
function assemble(id, tarballs, work) {
  const made = join(work, 'client')
  for (const name of packagesOf(id)) {
    const files = name === id ? clients[id].files : undefined
    unpack(tarballs.get(integrity[name]), join(made, 'node_modules', nameOf(name)), files)
  }
  for (const name of clients[id].hosts ?? []) {
    mkdirSync(join(made, 'node_modules', name))
    copyFileSync(hostFile(name), join(made, 'node_modules', name, 'index.js'))
  }
  writeFileSync(join(made, MARK), madeOf(id))
  rmSync(folderOf(id), { recursive: true, force: true })
  renameSync(made, folderOf(id))
}

/** Fetches those that are missing: of all clients, or of the few that `npm test` runs. */
export function fetchClients({ all }) {
  const missing = (all ? Object.keys(clients) : inTests).filter((id) => !isThere(id))
  if (missing.length === 0) return
  console.log(`Fetching ${missing.join(', ')} for the tests…`)
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, 'fetching-'))
  try {
    const tarballs = download([...new Set(missing.flatMap(packagesOf))], join(work, 'tarballs'))
    for (const id of missing) assemble(id, tarballs, work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
