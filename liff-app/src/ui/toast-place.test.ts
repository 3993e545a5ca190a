import { expect, test } from 'vitest'
import { placeClearOf } from './toast-place.ts'

const PHONE = { width: 360, height: 740, ceiling: 56, floor: 660 }
const DESK = { width: 1280, height: 800, ceiling: 64, floor: 800 }
const onPhone = { width: 328, height: 48 }
const onDesk = { width: 400, height: 48 }

const button = { left: 16, right: 344, top: 600, bottom: 652 }
const topButton = { left: 16, right: 344, top: 70, bottom: 120 }
const tallSheet = { left: 0, right: 360, top: 88, bottom: 740 }
const dialog = { left: 432, right: 848, top: 32, bottom: 768 }

test.each([
  ['nothing: low, over the bar', [], PHONE, onPhone, { left: 16, top: 600 }],
  ['a button low on the page: under the top bar', [button], PHONE, onPhone, { left: 16, top: 64 }],
  ['buttons low and high: at the very top', [button, topButton], PHONE, onPhone, { left: 16, top: 8 }],
  ['a sheet as tall as it gets: over it', [tallSheet], PHONE, onPhone, { left: 16, top: 8 }],
  ['a tall dialog on a desk: beside it', [dialog], DESK, onDesk, { left: 868, top: 740 }],
  ['everything: at the very top', [{ left: 0, right: 360, top: 0, bottom: 740 }], PHONE, onPhone, { left: 16, top: 8 }],
])('with %s', (_, obstacles, room, size, place) => {
  expect(placeClearOf(obstacles, size, room)).toMatchObject(place)
})
