import { checkPlayer, type Game } from '@shop/shared/catalogue/endpoints.ts'
import type { OwnOrder } from '@shop/shared/order/own-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { createDraft, type Draft, withChange } from '../draft.ts'
import { runningOrder } from '../orders/testing.ts'
import { InShop, startShopServer } from '../testing.tsx'
import { PlayerSection } from './player-section.tsx'
import { savePlayer } from './saved-players.ts'
import { game } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: () => undefined,
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
const WRONG = 'กรุณากรอกตัวเลข 5–12 หลัก'
const empty = createDraft('pubg')

interface Shown {
  sold?: Partial<Game>
  first?: Draft
  hasTried?: boolean
  deliveries?: OwnOrder[]
}

function Section({ sold, first = empty, hasTried = false, deliveries = [] }: Shown) {
  const [draft, setDraft] = useState(first)
  const shown = { ...game, ...sold }
  return (
    <PlayerSection
      game={shown}
      mustVerify={shown.isPlayerChecked}
      deliveries={deliveries}
      draft={draft}
      hasTried={hasTried}
      onChange={change => setDraft(now => withChange(now, change))}
    />
  )
}
const show = (shown: Shown = {}) => render(<Section {...shown} />, { wrapper: InShop })
const id = () => screen.getByRole('textbox', { name: /^Player ID/ })
const serverField = () => screen.getByRole('combobox', { name: 'Server' })

test('an id of digits has the number keyboard, an example and its length', () => {
  show()
  expect(id().getAttribute('inputmode')).toBe('numeric')
  expect((id() as HTMLInputElement).placeholder).toBe('เช่น 5123456789')
  expect(screen.getByText('ตัวเลข 5–12 หลัก')).toBeTruthy()
})

test('several inputs share one warning, a single one has its own', () => {
  const { unmount } = show()
  expect(screen.getAllByText(/หากผิดจะไม่สามารถยกเลิกได้/).map(({ textContent }) => textContent)).toEqual([
    'กรุณากรอก Player ID และ Server ให้ถูกต้อง หากผิดจะไม่สามารถยกเลิกได้',
  ])
  unmount()
  show({ sold: { fields: game.fields.slice(0, 1) } })
  expect(screen.getByText('กรุณากรอก Player ID ให้ถูกต้อง หากผิดจะไม่สามารถยกเลิกได้')).toBeTruthy()
  expect(screen.getByRole('textbox', { name: 'Player ID ตัวเลข 5–12 หลัก' })).toBe(id())
})

test('what is wrong is told after the field was left, not while it is typed', async () => {
  show()
  await userEvent.type(id(), '5123')
  expect(screen.queryByText(WRONG)).toBeNull()
  await userEvent.tab()
  expect(screen.getByText(WRONG)).toBeTruthy()
  expect(id().getAttribute('aria-invalid')).toBe('true')
  await userEvent.type(id(), '4')
  await userEvent.tab()
  expect(screen.queryByText(WRONG)).toBeNull()
})

test('an id pasted too long is wrong, never cut to the id of somebody else', async () => {
  show()
  await userEvent.click(id())
  await userEvent.paste('5123456789012345')
  await userEvent.tab()
  expect((id() as HTMLInputElement).value).toBe('5123456789012345')
  expect(screen.getByText(WRONG)).toBeTruthy()
})

test('an id pasted with the spaces and dashes of its game is taken without them', async () => {
  show()
  await userEvent.click(id())
  await userEvent.paste('81234 5678-9')
  await userEvent.tab()
  expect((id() as HTMLInputElement).value).toBe('8123456789')
  expect(screen.queryByText(WRONG)).toBeNull()
})

test('that a wrong id can not be taken back is said once', () => {
  show()
  expect(screen.getAllByText(/หากผิดจะไม่สามารถยกเลิกได้/)).toHaveLength(1)
})

test('whoever wanted to go on is told at every input', () => {
  show({ hasTried: true })
  expect(screen.getByText('กรุณากรอก Player ID')).toBeTruthy()
  expect(screen.getByText('กรุณาเลือก Server')).toBeTruthy()
})

test('a fixed choice is made from a list', async () => {
  show()
  await userEvent.selectOptions(serverField(), 'Europe')
  expect((serverField() as HTMLSelectElement).value).toBe('Europe')
})

test('kept values that no longer fit are there and shown as wrong', () => {
  show({ first: { ...empty, playerId: 'OLD-1', field2: 'Africa' } })
  expect((id() as HTMLInputElement).value).toBe('OLD-1')
  expect(screen.getByText(WRONG)).toBeTruthy()
  expect((serverField() as HTMLSelectElement).value).toBe('Africa')
  expect(screen.getByText('กรุณาเลือกจากรายการ')).toBeTruthy()
})

test('a saved player that no longer fits says so, and can still be taken and mended', async () => {
  savePlayer('pubg', { playerId: 'OLD-1', playerName: null })
  show()
  await userEvent.click(screen.getByRole('button', { name: 'ใช้ ID OLD-1 · รูปแบบไม่ถูกต้อง' }))
  expect((id() as HTMLInputElement).value).toBe('OLD-1')
  expect(screen.getByText(WRONG)).toBeTruthy()
})

test('a saved player brings every input, and the same number on another server is another player', async () => {
  savePlayer('pubg', { playerId: '5123456789', field2: 'Asia', playerName: null })
  savePlayer('pubg', { playerId: '5123456789', field2: 'Europe', playerName: null })
  show()
  await userEvent.click(screen.getByRole('button', { name: 'ใช้ ID 5123456789 · Asia' }))
  expect((id() as HTMLInputElement).value).toBe('5123456789')
  expect((serverField() as HTMLSelectElement).value).toBe('Asia')
  expect(screen.getAllByRole('button', { name: /^ใช้ ID/ }).map(({ textContent }) => textContent)).toEqual([
    'ใช้ ID 5123456789 · Europe',
  ])
})

test('the players of earlier orders stand there on a new device, each once, after those of this browser', () => {
  savePlayer('pubg', { playerId: '5111111111', playerName: null })
  const rows = ['5222222222', '5111111111', '5222222222'].map(playerId => ({
    ...runningOrder,
    playerId,
    fields: [{ name: 'field1' as const, value: playerId }],
    playerName: 'Nam',
  }))
  show({ deliveries: rows })
  expect(screen.getAllByRole('button', { name: /^ใช้ ID/ }).map(({ textContent }) => textContent)).toEqual([
    'ใช้ ID 5111111111',
    'ใช้ ID 5222222222 · Nam',
  ])
})

const checked = { isPlayerChecked: true }
const onAsia = { ...empty, field2: 'Asia' }
const typedId = { ...onAsia, playerId: '5123456789' }

/** Answers each question in turn, the last answer again and again; returns what was asked. */
function answerChecks(...answers: Parameters<typeof fake<typeof checkPlayer>>[1][]): string[] {
  const asked: string[] = []
  server.use(
    fake(checkPlayer, (...question) => {
      const [, url] = question
      asked.push(url.pathname + url.search)
      return (answers[asked.length - 1] ?? answers.at(-1)!)(...question)
    }),
  )
  return asked
}
const nam = () => ({ uid: '5123456789', name: 'Namkhao_TH' })

test('any game whose ids are checked asks for its own code with all inputs; a wrong format is told without asking', async () => {
  const asked = answerChecks(nam)
  show({ sold: { ...checked, code: 'freefire' }, first: { ...onAsia, gameCode: 'freefire' } })
  await userEvent.type(id(), '51{Enter}')
  expect(screen.getByText(WRONG)).toBeTruthy()
  await userEvent.type(id(), '23456789')
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจสอบ' }))
  expect(await screen.findByText('Namkhao_TH')).toBeTruthy()
  const path = checkPlayer.path.replace(':gameCode', 'freefire').replace(':playerId', '5123456789')
  expect(asked).toEqual([`${path}?field2=Asia`])
})

test('what is complete is asked by itself after a moment, and the input keeps the focus', async () => {
  const asked = answerChecks(nam)
  show({ sold: checked, first: onAsia })
  await userEvent.type(id(), '5123456789')
  expect(asked).toEqual([])
  expect(await screen.findByText('Namkhao_TH', undefined, { timeout: 3000 })).toBeTruthy()
  expect(document.activeElement).toBe(id())
  expect(asked).toHaveLength(1)
})

test('nobody is asked until every input is there; the button leads to the one that is missing', async () => {
  const asked = answerChecks(nam)
  show({ sold: checked, first: { ...empty, playerId: '5123456789' } })
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจสอบ' }))
  expect(document.activeElement).toBe(serverField())
  expect(asked).toEqual([])
  await userEvent.selectOptions(serverField(), 'Asia')
  expect(await screen.findByText('Namkhao_TH', undefined, { timeout: 3000 })).toBeTruthy()
})

test('while the game is asked the line below says so; another server is another question', async () => {
  let answer: () => void = () => undefined
  answerChecks(
    () => new Promise(resolve => (answer = () => resolve(nam()))),
    () => ({ uid: '5123456789', name: 'Europe_TH' }),
  )
  show({ sold: checked, first: typedId })
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจสอบ' }))
  expect(await screen.findByText('กำลังค้นหาชื่อผู้เล่น…')).toBeTruthy()
  await userEvent.selectOptions(serverField(), 'Europe')
  // The answer about the other server is no longer wanted.
  answer()
  expect(await screen.findByText('Europe_TH', undefined, { timeout: 3000 })).toBeTruthy()
  expect(screen.queryByText('Namkhao_TH')).toBeNull()
})

test.each(['PLAYER_LOOKUP_TIMED_OUT', 'PLAYER_NOT_CHECKED', 'RATE_LIMITED', 'UNAVAILABLE'] as const)(
  'with %s the buyer is told calmly that they can go on, once, and can try again',
  async code => {
    const asked = answerChecks(refuse(code), nam)
    show({ sold: checked, first: onAsia })
    await userEvent.type(id(), '5123456789')
    await userEvent.tab()
    expect(await screen.findByText(/^ตรวจชื่อไม่ได้ชั่วคราว ซื้อต่อได้/)).toBeTruthy()
    expect(id().getAttribute('aria-invalid')).toBeNull()
    await userEvent.click(id())
    await userEvent.tab()
    expect(asked).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
    expect(await screen.findByText('Namkhao_TH')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /ตรวจสอบ|ลองอีกครั้ง/ })).toBeNull()
  },
)

test('a player who exists but whose name is not told counts as found', async () => {
  answerChecks(() => ({ uid: '5123456789', name: null }))
  show({ sold: checked, first: typedId })
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจสอบ' }))
  expect(await screen.findByText('พบผู้เล่นนี้ในเกม')).toBeTruthy()
})

test('a player that the game does not know is told at the field, and where the id is found opens', async () => {
  const asked = answerChecks(refuse('PLAYER_NOT_FOUND'))
  const page = show({ sold: { ...checked, playerHint: 'แตะรูปโปรไฟล์' }, first: typedId })
  expect(page.container.querySelector('details')?.open).toBe(false)
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจสอบ' }))
  expect(await screen.findByText('ไม่พบชื่อผู้เล่นนี้ ตรวจตัวเลขอีกครั้ง')).toBeTruthy()
  expect(id().getAttribute('aria-invalid')).toBe('true')
  expect(page.container.querySelector('details')?.open).toBe(true)
  expect(asked).toHaveLength(1)
})

test('a confirmed id that no longer fits its format is shown as wrong', () => {
  show({ sold: checked, first: { ...empty, playerId: 'OLD-1', playerName: 'Namkhao_TH' } })
  expect((id() as HTMLInputElement).value).toBe('OLD-1')
  expect(screen.getByText(WRONG)).toBeTruthy()
  expect(screen.queryByText('Namkhao_TH')).toBeNull()
})

test('where the id is found stands below it where the game tells it', () => {
  const page = show({ sold: { playerHint: 'แตะรูปโปรไฟล์', playerHintPicture: '/files/hint.webp' } })
  expect(screen.getByText('ดู Player ID ได้ที่ไหน')).toBeTruthy()
  expect(screen.getByText('แตะรูปโปรไฟล์')).toBeTruthy()
  const picture = page.container.querySelector('img')!
  expect(picture.alt).toContain('ตัวอย่างตำแหน่ง Player ID')
  expect([picture.loading, picture.width, picture.height]).toEqual(['lazy', 500, 280])
})

test('a game without a hint has no way to one', () => {
  show()
  expect(screen.queryByText('ดู Player ID ได้ที่ไหน')).toBeNull()
})
