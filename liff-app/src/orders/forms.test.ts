import type { PlayerField } from '@shop/shared/catalogue/catalogue.ts'
import { expect, test } from 'vitest'
import { byPlayerForm } from './forms.ts'

const FIELDS: PlayerField[] = [
  { name: 'field1', label: 'Player ID', format: { kind: 'digits', min: 5, max: 12 } },
  { name: 'field2', label: 'ชื่อ', format: { kind: 'text', min: 1, max: 6 } },
]

test('a corrected player is read as one that is bought for: as it looks, with the gaps that a game puts between digits', async () => {
  const typed = { field1: '\u200b５123-456 ๗๘9\u2060', field2: ' KING\u3164\u200d ' }
  const { values, errors } = await byPlayerForm(FIELDS)(typed, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  })
  expect([values, errors]).toEqual([{ field1: '5123456789', field2: 'KING' }, {}])
})
