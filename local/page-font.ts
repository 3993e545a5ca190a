import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

// import.meta.resolve is missing where Vitest loads this file.
const { resolve } = createRequire(import.meta.url)

const scripts = ['thai', 'latin'] as const

/** `@font-face` for the pages: the machine may have no Thai font. */
export const fontStyle = scripts
  .map(
    script => `@font-face { font-family:"Noto Sans Thai Looped Variable"; font-weight:100 900; font-display:swap;
  ascent-override:112%; descent-override:48%; line-gap-override:0%; unicode-range:${script === 'thai' ? 'U+0E01-0E5B,U+200C-200D,U+25CC' : 'U+0000-00FF,U+2000-206F,U+20AC,U+2190-2193,U+2212'};
  src:url(/__emu/fonts/${script}) format("woff2") }`,
  )
  .join('\n')

/** A font that `fontStyle` asks for below /__emu/fonts/; null for any other name. */
export async function readFont(name: string): Promise<Buffer | null> {
  const script = scripts.find(each => each === name)
  if (!script) return null
  const file = `@fontsource-variable/noto-sans-thai-looped/files/noto-sans-thai-looped-${script}-wght-normal.woff2`
  return readFile(resolve(file))
}
