import { expect, test } from 'vitest'
import { placesOf } from './places.ts'

const rows = [{ id: 7 }, { id: 8 }, { id: 9 }]

test('the rows that are shown keep the places of the page they stand on', () => {
  expect(placesOf(rows, 101)).toEqual([
    { id: 7, no: 101 },
    { id: 8, no: 102 },
    { id: 9, no: 103 },
  ])
})

test('one that leaves for the front pushes the others down, one that leaves for the end pulls them up', () => {
  expect(placesOf(rows, 101, new Map([[8, 5]]))).toEqual([
    { id: 7, no: 102 },
    { id: 9, no: 103 },
    { id: 8, no: 5 },
  ])
  expect(placesOf(rows, 101, new Map([[7, 400]]))).toEqual([
    { id: 8, no: 101 },
    { id: 9, no: 102 },
    { id: 7, no: 400 },
  ])
})
