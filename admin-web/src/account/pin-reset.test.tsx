import { getUser, type Me } from '@shop/shared/account/endpoints.ts'
import { getPinState, type PinState, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { listSecondWords } from '@shop/shared/value/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const agent: Me = { ...staff, uid: 'u-agent', displayName: 'ปิติ ตัวแทน', role: 'agent', hasWallet: true }
const at = '2026-11-20T06:50:00.000Z'
const fresh: PinState = { wrongTries: 0, wrongToday: 0, lock: null }

async function openAdminPanel() {
  server.use(fake(getUser, () => agent))
  renderSite({ path: `/user/${agent.uid}?panel=admin`, me: { ...staff, role: 'manager' } })
  await screen.findByRole('button', { name: 'ตั้ง PIN ใหม่' })
}

const states: [PinState, string, string][] = [
  [fresh, 'PIN ใช้งานได้', 'กรอกผิดวันนี้ 0 ครั้ง'],
  [{ wrongTries: 2, wrongToday: 6, lock: null }, 'PIN ใช้งานได้', 'กรอกผิดวันนี้ 6 ครั้ง · ติดกัน 2 ครั้ง'],
  [
    { wrongTries: 0, wrongToday: 5, lock: { at, until: '2026-11-20T07:05:00.000Z', isHolding: true } },
    'PIN ถูกล็อกถึง 20 พ.ย. · 14:05 น.',
    'กรอกผิดวันนี้ 5 ครั้ง · ล็อกล่าสุด 20 พ.ย. · 13:50 น.',
  ],
  [
    { wrongTries: 0, wrongToday: 0, lock: { at, until: '2026-11-20T07:05:00.000Z', isHolding: false } },
    'PIN ใช้งานได้ เคยถูกล็อกใน 7 วันที่ผ่านมา',
    'ล็อกล่าสุด 20 พ.ย. · 13:50 น.',
  ],
  [
    { wrongTries: 0, wrongToday: 5, lock: { at, until: null, isHolding: true } },
    'PIN ถูกล็อก ต้องตั้ง PIN ใหม่ให้',
    'กรอกผิดวันนี้ 5 ครั้ง',
  ],
]
test.each(states)('how the tries stand is told: %o', async (state, title, facts) => {
  server.use(fake(getPinState, () => state))
  await openAdminPanel()
  await screen.findByText(title)
  expect(screen.getByRole('alert').textContent).toContain(facts)
})

test.each([true, false])(
  'a new PIN opens the lock, and the panel says so; its owner is told: %s',
  async isOwnerTold => {
    let state: PinState = { wrongTries: 0, wrongToday: 5, lock: { at, until: null, isHolding: true } }
    server.use(
      fake(getPinState, () => state),
      fake(resetPin, () => {
        state = fresh
        return { pin: '4821', isOwnerTold }
      }),
    )
    await openAdminPanel()
    await screen.findByText('PIN ถูกล็อก ต้องตั้ง PIN ใหม่ให้')
    fireEvent.click(screen.getByRole('button', { name: 'ตั้ง PIN ใหม่' }))
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'ตั้ง PIN ใหม่' })).toHaveLength(2))
    fireEvent.click(screen.getAllByRole('button', { name: 'ตั้ง PIN ใหม่' })[1]!)
    await screen.findByText('4821')
    expect(screen.queryByText('เจ้าของบัญชีจะไม่ได้รับแจ้ง') === null).toBe(isOwnerTold)
    await screen.findByText('PIN ใช้งานได้')
  },
)

test('who has no PIN yet has nothing to show', async () => {
  server.use(fake(getPinState, refuse('PIN_NOT_SET')))
  await openAdminPanel()
  expect(screen.queryByText(/PIN ใช้งานได้/)).toBeNull()
})

test('a PIN that a second person is asked for says so, and shows none', async () => {
  server.use(
    fake(getPinState, () => fresh),
    fake(listSecondWords, () => ({ rows: [], total: 0, nowDate: at })),
    fake(
      resetPin,
      refuse('SECOND_WORD_NEEDED', { values: { sent: 'ส่งให้ผู้จัดการคนอื่นแล้ว' }, details: { secondWordId: 'w' } }),
    ),
  )
  await openAdminPanel()
  fireEvent.click(screen.getByRole('button', { name: 'ตั้ง PIN ใหม่' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'ตั้ง PIN ใหม่' })).toHaveLength(2))
  fireEvent.click(screen.getAllByRole('button', { name: 'ตั้ง PIN ใหม่' })[1]!)
  await screen.findAllByText('ส่งให้คนที่สองยืนยันแล้ว')
  expect(screen.getAllByText(/ส่งให้ผู้จัดการคนอื่นแล้ว/)).toHaveLength(1)
  expect(screen.queryByText(/PIN ชั่วคราว/)).toBeNull()
})
