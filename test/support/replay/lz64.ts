/** lz-string's compressToBase64, implemented plainly: what posthog-js-lite 2 and posthog-react-native 2 send. */
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The base64 of bits, the highest of each character first. */
function signsOf(bits: number[]): string {
  let text = ''
  for (let at = 0; at < bits.length; at += 6) {
    const six = Array.from({ length: 6 }, (_, i) => bits[at + i] ?? 0)
    text += SIGNS[Number.parseInt(six.join(''), 2)]
  }
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

export function compressLz64(input: string): string {
  const codes = new Map<string, number>()
  const fresh = new Set<string>()
  const bits: number[] = []
  let [width, room, size, word] = [2, 2, 3, '']
  const write = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit++) bits.push((value >> bit) & 1)
  }
  const count = () => {
    room -= 1
    if (room > 0) return
    room = 2 ** width
    width += 1
  }
  const emit = () => {
    if (fresh.delete(word)) {
      const unit = word.charCodeAt(0)
      write(unit < 256 ? 0 : 1, width)
      write(unit, unit < 256 ? 8 : 16)
      count()
    } else write(codes.get(word) ?? 0, width)
    count()
  }
  for (let at = 0; at < input.length; at++) {
    const char = input.charAt(at)
    if (!codes.has(char)) {
      codes.set(char, size++)
      fresh.add(char)
    }
    if (codes.has(word + char)) word += char
    else {
      emit()
      codes.set(word + char, size++)
      word = char
    }
  }
  if (word !== '') emit()
  write(2, width)
  // One bit more ends the last character, as the original does it.
  bits.push(0)
  return signsOf(bits)
}
