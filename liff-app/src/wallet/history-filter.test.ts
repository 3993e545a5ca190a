import { expect, test } from 'vitest'
import {
  type HistoryFilter,
  isFiltered,
  readHistoryFilter,
  toFilterQuery,
  writeHistoryFilter,
} from './history-filter.ts'

const all: HistoryFilter = { month: null, actionType: null, status: null, page: 1 }

test('a filter survives the way through the address', () => {
  const filter: HistoryFilter = { month: '2026-11', actionType: 'เติมเงิน', status: 'reject', page: 3 }
  expect(readHistoryFilter(new URLSearchParams(String(writeHistoryFilter(filter))))).toEqual(filter)
  expect(toFilterQuery(filter)).toEqual({ month: '2026-11', actionType: ['เติมเงิน'], status: ['reject'] })
  expect(String(writeHistoryFilter(all))).toBe('')
})

test('nonsense in the address is left out', () => {
  const filter = readHistoryFilter(new URLSearchParams('month=2026-13&type=x&status=done&page=-2'))
  expect(filter).toEqual(all)
  expect(isFiltered(filter)).toBe(false)
})
