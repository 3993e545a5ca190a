// Text in pictures of the demo shop, in the font of the shop's papers: the machine may have no Thai font.
import { findFontFile } from 'functions/src/http/pdf.ts'
import sharp, { type OverlayOptions } from 'sharp'

/** A line of text with its size in pixels. */
export type Line = [text: string, size: number, colour?: string]

/** Draws lines of text; what it returns is laid over a picture. */
export async function write(
  lines: readonly Line[],
  left: number,
  top: number,
  weight: 'regular' | 'bold' = 'regular',
): Promise<OverlayOptions> {
  const text = lines
    .map(
      ([line, size, colour = '#151922']) =>
        `<span size="${size * 1024}" foreground="${colour}">${escaped(line)}</span>`,
    )
    .join('\n')
  const fontfile = findFontFile(weight)
  const input = await sharp({
    text: { text, fontfile, font: weight === 'bold' ? 'Sarabun Bold' : 'Sarabun', rgba: true, dpi: 72 },
  })
    .png()
    .toBuffer()
  return { input, left, top }
}

const escaped = (text: string) => text.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
