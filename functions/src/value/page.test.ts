import { readFileSync } from 'node:fs'
import { can, type Role } from '@shop/shared/permissions.ts'
import { moveEntry, VALUE_MOVE, VALUE_MOVE_KINDS, type ValueMoveKind } from '@shop/shared/value/value.ts'
import { expect, test } from 'vitest'

const PAGE = new URL('../../../docs/security.md', import.meta.url)

/** The cells of the rows of a section's table whose first cell begins with a name. */
function rowsOf(section: string): Map<string, string[]> {
  const rows = section.split('\n').flatMap(line => {
    const name = /^\| `(\w+)`/.exec(line)?.[1]
    return name ? [[name, line.split(' | ')] as const] : []
  })
  return new Map(rows)
}

test('docs/security.md has a row for each kind of move: who may, whether it counts, whether it takes another person', () => {
  const page = readFileSync(PAGE, 'utf8')
  const rows = rowsOf(page.slice(page.indexOf('## What moves value'), page.indexOf('## Prices')))
  const told = [...rows].map(([kind, [, who, counts, second]]) => ({
    kind,
    // An appointment or a call may ask for more than the permission does.
    isAllowed: kind in VALUE_MOVE && can(who as Role, moveEntry(kind as ValueMoveKind).allow),
    counts: counts === 'yes',
    isAlone: /^nobody/.test(second!),
  }))
  const held = VALUE_MOVE_KINDS.map(kind => {
    const { counts, second } = moveEntry(kind)
    return { kind, isAllowed: true, counts, isAlone: second === null }
  })
  const byKind = (a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind)
  expect(told.sort(byKind)).toEqual(held.sort(byKind))
})
