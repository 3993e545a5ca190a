import { getUser, type Link, type Me, removeLink, updateUserAuthentication } from '@shop/shared/account/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const agent: Me = { ...staff, uid: 'u-agent', displayName: 'ปิติ ตัวแทน', role: 'agent' }
const line: Link = { provider: 'line', linkedAt: '2026-11-20T06:50:00.000Z', email: null }
const google: Link = { provider: 'google.com', linkedAt: null, email: 'someone@example.com' }

function openPanel(panel: 'admin' | 'password', links: Link[]) {
  server.use(fake(getUser, () => agent))
  renderSite({ path: `/user/${agent.uid}?panel=${panel}`, me: { ...staff, role: 'manager' }, links })
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

async function givePassword() {
  for (const label of ['รหัสผ่านใหม่', 'ยืนยันรหัสผ่านใหม่'])
    fireEvent.change(await screen.findByLabelText(label), { target: { value: 'new-password-1' } })
  await press('ตั้งรหัสผ่านใหม่')
}

/** What the server is asked to keep. */
function serveReset() {
  const asked: unknown[] = []
  server.use(
    fake(updateUserAuthentication, body => {
      asked.push((body as { keep?: string[] }).keep ?? [])
      return { ...agent, isOwnerTold: true }
    }),
  )
  return asked
}

test('a reset of the password names what was linked and since when, and takes all of it away', async () => {
  const asked = serveReset()
  openPanel('password', [line, google])
  await screen.findByText('LINE')
  await screen.findByText('Google · someone@example.com')
  await screen.findByText(/เชื่อมเมื่อ .*13:50/)
  await screen.findByText('เชื่อมไว้ก่อนที่ระบบจะบันทึกเวลา')
  await givePassword()
  await waitFor(() => expect(asked).toEqual([[]]))
})

test('what the owner is known to have linked stays', async () => {
  const asked = serveReset()
  openPanel('password', [line, google])
  fireEvent.click(await screen.findByRole('checkbox', { name: /Google/ }))
  await givePassword()
  await waitFor(() => expect(asked).toEqual([['google.com']]))
})

test('nothing is asked where nothing was linked', async () => {
  openPanel('password', [])
  await screen.findByLabelText('รหัสผ่านใหม่')
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a manager takes one link away, after being asked', async () => {
  const links = [line, google]
  const removed: string[] = []
  server.use(
    fake(removeLink, (_, url) => {
      removed.push(url.pathname)
      links.shift()
      return { ...agent, isOwnerTold: false }
    }),
  )
  openPanel('admin', links)
  await press('นำออก LINE')
  expect(removed).toEqual([])
  await screen.findAllByText('นำ LINE ออกจากบัญชีของ ปิติ ตัวแทน?')
  await press('นำออก')
  await screen.findByText('นำวิธีเข้าสู่ระบบออกแล้ว')
  expect(removed).toEqual([`/romons.users/api/user/${agent.uid}/link/line`])
  await screen.findByText('เจ้าของบัญชีจะไม่ได้รับแจ้ง')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'นำออก LINE' })).toBeNull())
  screen.getByRole('button', { name: 'นำออก Google' })
})

test('the last way to sign in stays, and says so', async () => {
  server.use(fake(removeLink, refuse('LAST_SIGN_IN_METHOD')))
  openPanel('admin', [google])
  await press('นำออก Google')
  await press('นำออก')
  await screen.findByText('ต้องมีช่องทางเข้าสู่ระบบอย่างน้อย 1 ช่องทาง')
})
