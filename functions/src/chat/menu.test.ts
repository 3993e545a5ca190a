import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChatShop, createChatShop } from '../testing/chat.ts'
import { setRichMenu } from './menu.ts'

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop()
})
afterEach(() => it.close())

const picture = () => readFile(join(import.meta.dirname, 'rich-menu.png'))

test('the menu is set with its picture; set again, one is there', async () => {
  const first = await setRichMenu(it.shop.config, await picture())
  expect(it.line.state.defaultRichMenu).toBe(first)
  const second = await setRichMenu(it.shop.config, await picture())
  expect(it.line.state.defaultRichMenu).toBe(second)
  expect([...it.line.state.richMenus.keys()]).toEqual([second])
})

test('what LINE refuses is told in its words, and the menu that was there stays', async () => {
  const first = await setRichMenu(it.shop.config, await picture())
  await expect(setRichMenu(it.shop.config, Buffer.from('no picture'))).rejects.toThrow(/400 .*image size/)
  expect(it.line.state.defaultRichMenu).toBe(first)
  await expect(
    setRichMenu({ ...it.shop.config, LINE_CHANNEL_ACCESS_TOKEN: ['wrong'] }, await picture()),
  ).rejects.toThrow(/401/)
})
