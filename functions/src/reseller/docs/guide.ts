import { Marked, type Tokens } from 'marked'
import { readGuideFile, SECTIONS, type SectionId } from './files.ts'
import { fillsOf, type GuideFacts } from './fills.ts'
import { codeBlock, tableOf } from './html.ts'
import { type Language, WORDS } from './words.ts'

export interface Section {
  /** Its anchor. */
  id: SectionId
  title: string
  html: string
}

const anchorOf = (section: SectionId, text: string): string =>
  `${section}-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`

/** The guide's Markdown for a section: its subheads have anchors, its code can be copied. */
const markedFor = (section: SectionId, copy: string) =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const anchor = anchorOf(section, text)
        const inside = this.parser.parseInline(tokens)
        return `<h${depth + 1} id="${anchor}"><a class="anchor" href="#${anchor}">${inside}</a></h${depth + 1}>\n`
      },
      code: ({ text }: Tokens.Code) => codeBlock(text, copy),
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens))
        return tableOf(cells(header), rows.map(cells))
      },
    },
  })

/** `{{name}}` stands for a block of HTML where it is alone in its paragraph, elsewhere for some words. */
function filled(html: string, fills: Record<string, string>): string {
  return html.replace(/<p>\{\{(\w+)\}\}<\/p>|\{\{(\w+)\}\}/g, (_, block?: string, words?: string) => {
    const value = fills[block ?? words ?? '']
    if (value === undefined) throw new Error(`The guide has nothing for {{${block ?? words}}}`)
    return value
  })
}

/** Reads and renders the guide. */
export async function readGuide(facts: GuideFacts, language: Language): Promise<Section[]> {
  const fills = await fillsOf(facts, WORDS[language])
  const folder = language === 'th' ? 'th/' : ''
  return Promise.all(
    SECTIONS.map(async id => {
      const [, title = '', body = ''] = /^# (.+)\n([\s\S]*)$/.exec(await readGuideFile(`${folder}${id}.md`)) ?? []
      return { id, title, html: filled(markedFor(id, WORDS[language].copy).parse(body, { async: false }), fills) }
    }),
  )
}
