import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type CsvRow, csvOfAll, csvOfRows } from './csv.ts'

const lines = (csv: string): string[] => csv.split('\r\n')

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function* pagesOf(...pages: CsvRow[][]): AsyncGenerator<CsvRow[]> {
  yield* pages
}

describe('csvOfRows', () => {
  it('flattens objects and lists with dots and sorts the columns', () => {
    const csv = csvOfRows(
      [{ uuid: 'u', properties: { $os: 'Linux', geo: { city: 'Bern' } }, distinct_ids: ['a', 'b'] }],
      [],
    )
    expect(csv).toBe('distinct_ids.0,distinct_ids.1,properties.$os,properties.geo.city,uuid\r\na,b,Linux,Bern,u\r\n')
  })

  it('takes the union of the columns of all rows and leaves absent cells empty', () => {
    expect(csvOfRows([{ a: 1 }, { b: 2 }], [])).toBe('a,b\r\n1,\r\n,2\r\n')
  })

  it('makes no column for empty lists, empty objects and undefined, but one for null', () => {
    expect(csvOfRows([{ a: [], b: {}, c: null, d: undefined, e: 'x' }], [])).toBe('c,e\r\n,x\r\n')
  })

  it('writes a header row even when there are no rows', () => {
    expect(csvOfRows([], ['name', 'id'])).toBe('id,name\r\n')
  })

  it('adds the base columns to those of the rows without doubling them', () => {
    expect(csvOfRows([{ b: 1, z: 2 }], ['b', 'a'])).toBe('a,b,z\r\n,1,2\r\n')
  })

  it.each([
    ['comma', 'a,b', '"a,b"'],
    ['quote', 'say "hi"', '"say ""hi"""'],
    ['line feed', 'a\nb', '"a\nb"'],
    ['carriage return', 'a\rb', '"a\rb"'],
    ['plain', "it's fine", "it's fine"],
    ['leading space', ' x', ' x'],
  ])('quotes a cell only where it must: %s', (_name, value, cell) => {
    expect(csvOfRows([{ a: value, b: 1 }], [])).toBe(`a,b\r\n${cell},1\r\n`)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-5', "'-5"],
    ['@x', "'@x"],
    ['  =1', "'  =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['\nx', '"\'\nx"'],
    ['=a,"b"', '"\'=a,""b"""'],
    ['a=1', 'a=1'],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['\u3000＝1', "'\u3000＝1"],
    ['\u200b=1', "'\u200b=1"],
    ['\ufeff=1', "'\ufeff=1"],
    ['\u200d\u200e \u2060＝1', "'\u200d\u200e \u2060＝1"],
    ['\u00ad@x', "'\u00ad@x"],
    ['\u202e=1', "'\u202e=1"],
    ['\u2066-1', "'\u2066-1"],
    ['\u0001=1', "'\u0001=1"],
    ['\u3164+1', "'\u3164+1"],
    ['\ufe0f=1', "'\ufe0f=1"],
    ['\u2800=1', "'\u2800=1"],
    ['\u{e0020}=1', "'\u{e0020}=1"],
    ['\u200bx', '\u200bx'],
    ['Ａ＝1', 'Ａ＝1'],
  ])('guards text that a spreadsheet would run: %j', (value, cell) => {
    expect(csvOfRows([{ a: value, b: 1 }], [])).toBe(`a,b\r\n${cell},1\r\n`)
  })

  it('guards column names', () => {
    expect(csvOfRows([{ '=cmd()': 1, b: 2 }], [])).toBe("'=cmd(),b\r\n1,2\r\n")
    expect(csvOfRows([{ a: 1, '\u200b＝cmd()': 2 }], [])).toBe("a,'\u200b＝cmd()\r\n1,2\r\n")
  })

  it('leaves JSON numbers and booleans as they are', () => {
    expect(csvOfRows([{ a: -5, b: 1.5, c: true, d: false, e: 0 }], [])).toBe('a,b,c,d,e\r\n-5,1.5,true,false,0\r\n')
  })

  it('keeps a row whose only cell is empty', () => {
    expect(csvOfRows([{ a: null }, { a: 'x' }], [])).toBe('a\r\n""\r\nx\r\n')
  })

  it('treats keys of Object.prototype like any other', () => {
    const row = JSON.parse('{"properties":{"__proto__":{"x":1},"constructor":"c"}}') as CsvRow
    expect(csvOfRows([row], [])).toBe('properties.__proto__.x,properties.constructor\r\n1,c\r\n')
  })

  it('puts every cell of a wide sparse table under its column', () => {
    const width = 10_000
    const rows = Array.from({ length: 20 }, (_, i) => ({ [`k${String(i * 499).padStart(5, '0')}`]: `v${i}` }))
    const base = Array.from({ length: width }, (_, i) => `k${String(i).padStart(5, '0')}`)
    const [header, ...records] = lines(csvOfRows(rows, base))
    expect(header?.split(',')).toEqual(base)
    expect(records.slice(0, 20).map((record, i) => record.split(',').indexOf(`v${i}`))).toEqual(
      rows.map((_, i) => i * 499),
    )
  })
})

describe('csvOfAll', () => {
  it('writes the same as csvOfRows over all pages', async () => {
    const pages: CsvRow[][] = [[{ a: 1 }, { b: { c: 'x' } }], [], [{ d: ['=1'] }]]
    expect(await text(csvOfAll(() => pagesOf(...pages), ['id']))).toBe(csvOfRows(pages.flat(), ['id']))
  })

  it('writes a header row when there are no pages', async () => {
    expect(await text(csvOfAll(() => pagesOf(), ['uuid', 'id']))).toBe('id,uuid\r\n')
  })

  it('leaves out columns that appear only in the second walk', async () => {
    let walks = 0
    const pages = () => pagesOf(walks++ === 0 ? [{ a: 1 }] : [{ a: 1, late: 2 }, { a: 3 }])
    expect(await text(csvOfAll(pages, []))).toBe('a\r\n1\r\n3\r\n')
  })
})

describe('csvOfAll, as a stream', () => {
  it('does not fetch ahead of a reader that does not read', async () => {
    let walks = 0
    let fetched = 0
    async function* pages(): AsyncGenerator<CsvRow[]> {
      walks++
      for (let i = 0; i < 1_000; i++) {
        if (walks === 2) fetched++
        yield Array.from({ length: 100 }, () => ({ a: 'x'.repeat(1_000) }))
      }
    }
    const stream = csvOfAll(pages, [])
    const reader = stream[Symbol.asyncIterator]()
    await reader.next()
    await reader.next()
    for (let i = 0; i < 50; i++) await tick()
    expect(fetched).toBeGreaterThan(0)
    expect(fetched).toBeLessThan(10)
    stream.destroy()
  })

  it('stops walking when the reader goes away during the first walk', async () => {
    let fetched = 0
    let closed = false
    const pages = async function* (): AsyncGenerator<CsvRow[]> {
      try {
        for (;;) {
          fetched++
          if (fetched === 3) stream.destroy()
          yield [{ a: fetched }]
        }
      } finally {
        closed = true
      }
    }
    const stream = csvOfAll(pages, [])
    stream.resume()
    await new Promise((resolve) => stream.once('close', resolve))
    while (!closed) await tick()
    expect(fetched).toBe(3)
  })

  it('stops walking when the reader goes away during the second walk', async () => {
    const fetched: number[] = []
    let open = 0
    async function* pages(): AsyncGenerator<CsvRow[]> {
      const walk = fetched.push(0) - 1
      open++
      try {
        for (let i = 0; i < 100; i++) {
          fetched[walk] = i + 1
          yield [{ a: i }]
        }
      } finally {
        open--
      }
    }
    let chunks = 0
    for await (const _chunk of csvOfAll(pages, [])) if (++chunks === 3) break
    expect(fetched[0]).toBe(100)
    expect(fetched[1]).toBeLessThan(10)
    while (open > 0) await tick()
  })
})

describe('csvOfAll, towards others', () => {
  it('lets other work run while it walks pages that never pause', async () => {
    let turns = 0
    let running = true
    const count = (): void => {
      turns++
      if (running) setImmediate(count)
    }
    setImmediate(count)
    await text(csvOfAll(() => pagesOf(...Array.from({ length: 50 }, () => [{ a: 1 }])), []))
    running = false
    expect(turns).toBeGreaterThanOrEqual(50)
  })

  it('fails before the first byte when the first walk fails', async () => {
    const pages = async function* (): AsyncGenerator<CsvRow[]> {
      yield [{ a: 1 }]
      throw new Error('store is gone')
    }
    const written: unknown[] = []
    const stream = csvOfAll(pages, [])
    stream.on('data', (chunk) => written.push(chunk))
    const error = await new Promise<Error>((resolve) => stream.once('error', resolve))
    expect(error.message).toBe('store is gone')
    expect(written).toEqual([])
  })
})
