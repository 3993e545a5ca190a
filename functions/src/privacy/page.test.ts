import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEPT_TABLES, type Kept } from './personal.ts'

const PAGE = new URL('../../../docs/operations/privacy.md', import.meta.url)
const MARKS = ['<!-- kept -->\n', '\n<!-- /kept -->'] as const

function erasedWords({ goes, persons = {}, theirs }: Kept): string {
  if (goes) return 'the rows go'
  const stays = Object.entries(persons).flatMap(([column, fate]) =>
    typeof fate === 'object' && 'kept' in fate ? [`\`${column}\` stays: ${fate.kept}`] : [],
  )
  const gone = Object.entries(persons).flatMap(([column, fate]) =>
    fate === 'uid' || fate === 'ownerKey' || fate === 'written' || 'set' in fate ? [`\`${column}\``] : [],
  )
  if (gone.length + stays.length === 0) return 'nothing of persons'
  const isStaffs = !theirs && Object.values(persons).every(fate => fate === 'uid')
  const whose = isStaffs ? ' (of former staff)' : ''
  return [...(gone.length > 0 ? [`blanked or given to the stand-in${whose}: ${gone.join(', ')}`] : []), ...stays].join(
    '; ',
  )
}

test('the page tells what the table says; WRITE_DOCS=1 writes it anew', () => {
  const rows = KEPT_TABLES.map(([table, kept]) => `| \`${table}\` | ${kept.until} | ${erasedWords(kept)} |`)
  const told = ['| table | kept | at an erasure |', '|---|---|---|', ...rows].join('\n')
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : ''
  const [from, to] = [page.indexOf(MARKS[0]) + MARKS[0].length, page.indexOf(MARKS[1])]
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, page.slice(0, from) + told + page.slice(to))
  expect(readFileSync(PAGE, 'utf8')).toContain(MARKS[0] + told + MARKS[1])
})
