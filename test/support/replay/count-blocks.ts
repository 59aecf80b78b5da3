/** How much of a recording a page asks for. */

/** In the page that plays it: keys of the blocks that it asks for, first those before there is a frame to see. */
export const COUNT_BLOCKS = `
  window.asked = [[], []]
  const load = window.fetch
  window.fetch = (input, init) => {
    const range = new URL(String(input), location.href).searchParams
    const shown = document.querySelector('.replayer-wrapper > iframe')
    const text = shown?.contentDocument?.querySelector('h1')?.textContent
    for (let key = Number(range.get('start_blob_key')); key <= Number(range.get('end_blob_key') ?? -1); key++)
      window.asked[text ? 1 : 0].push(key)
    return load(input, init)
  }
`
