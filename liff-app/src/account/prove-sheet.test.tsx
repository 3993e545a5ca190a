import { person as customer } from '@shop/web/testing.tsx'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { InShop } from '../testing.tsx'
import { ProveSheet } from './prove-sheet.tsx'
import { startServer } from './testing.ts'

const firebase = vi.hoisted(() => ({
  proveWithPassword: vi.fn(),
  onUser: vi.fn(),
  getToken: vi.fn(async () => 'token'),
  signOut: vi.fn(async () => undefined),
}))
vi.mock('../firebase.ts', () => firebase)

startServer()

test('a wrong password is told and stays, also when the sheet is closed and opened again; the right one proves it', async () => {
  const onProven = vi.fn()
  const me = { ...customer, providers: ['password' as const] }
  const sheet = (open: boolean) => (
    <InShop at="/user/u1">
      <ProveSheet me={me} open={open} path="/user/u1" onProven={onProven} onClose={() => undefined} />
    </InShop>
  )
  const find = async () => (await screen.findByLabelText('รหัสผ่านปัจจุบัน')) as HTMLInputElement
  const confirm = () => userEvent.click(screen.getByRole('button', { name: 'ยืนยัน' }))
  firebase.proveWithPassword.mockRejectedValueOnce(Object.assign(new Error(), { code: 'auth/wrong-password' }))
  const { rerender } = render(sheet(true))
  const field = await find()
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.type(field, 'secret-9')
  await confirm()
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('alert')
        .map(each => each.textContent)
        .join(''),
    ).toContain('รหัสผ่าน'),
  )
  rerender(sheet(false))
  await waitFor(() => expect(screen.queryByLabelText('รหัสผ่านปัจจุบัน')).toBeNull())
  rerender(sheet(true))
  expect((await find()).value).toBe('secret-9')
  await userEvent.type(await find(), '9')
  await confirm()
  await waitFor(() => expect(onProven).toHaveBeenCalledTimes(1))
  expect(firebase.proveWithPassword.mock.calls).toEqual([['secret-9'], ['secret-99']])
})
