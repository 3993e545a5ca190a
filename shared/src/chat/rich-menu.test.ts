import { expect, test } from 'vitest'
import { chatLinks } from './links.ts'
import { richMenu } from './rich-menu.ts'

const links = chatLinks({ liffId: '20-Ab', storefrontUrl: 'https://shop.example', adminUrl: 'https://admin.example' })

test('the areas cover the whole picture, side by side', () => {
  const { size, areas } = richMenu(links)
  const ends = areas.map(({ bounds }) => bounds.x + bounds.width)
  expect(areas.map(({ bounds }) => bounds.x)).toEqual([0, ...ends.slice(0, -1)])
  expect(ends.at(-1)).toBe(size.width)
  expect(areas.every(({ bounds }) => bounds.y === 0 && bounds.height === size.height)).toBe(true)
})

test('they open the shop inside LINE and ask for the status', () => {
  const actions = JSON.stringify(richMenu(links).areas)
  for (const part of ['https://liff.line.me/20-Ab/game', '"data":"status"', '/purchase/history'])
    expect(actions).toContain(part)
})
