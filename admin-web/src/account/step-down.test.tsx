import { getUser, type Me } from '@shop/shared/account/endpoints.ts'
import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const admin: Me = { ...staff, uid: 'u-admin', role: 'admin', roleName: 'ผู้ดูแลระบบ' }
const LEAVE = 'ลาออกจากผู้ดูแลระบบ'
const press = async (name: string, nth = 0) =>
  fireEvent.click((await screen.findAllByRole('button', { name })).at(nth)!)

function open(me: Me, user = me) {
  server.use(fake(getUser, () => user))
  renderSite({ path: `/user/${user.uid}?panel=rank`, me })
}

test('an admin steps down after they were asked once more; a refusal says what to do', async () => {
  let asked = 0
  open(admin)
  server.use(
    fake(stepDown, () => {
      asked++
      return asked === 1 ? refuse('LAST_ADMIN')() : { uid: admin.uid }
    }),
  )
  await press(LEAVE, 1)
  expect(asked).toBe(0)
  await press('ลาออก')
  expect((await screen.findByRole('alert')).textContent).toContain('ตั้งผู้ดูแลระบบอีกคนก่อนลาออก')
  await press(LEAVE, 1)
  // The question of before may still be on its way out.
  await press('ลาออก', -1)
  await waitFor(() => expect(asked).toBe(2))
})

test('nobody does it for another, nor sets an admin’s password; a manager has nothing to give up', async () => {
  open(admin, { ...admin, uid: 'u-other' })
  await screen.findByRole('button', { name: 'เมนูผู้ดูแล' })
  for (const name of [LEAVE, 'เปลี่ยนรหัสผ่าน']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('a manager reads what an admin is called, and changes nothing of it', async () => {
  server.use(fake(getUser, () => ({ ...admin, displayName: 'สมชาย แอดมิน' })))
  renderSite({ path: `/user/${admin.uid}?panel=info`, me: { ...staff, role: 'manager', roleName: 'ผู้จัดการ' } })
  await screen.findAllByText('สมชาย แอดมิน')
  await screen.findByLabelText('ชื่อ')
  for (const name of [/บันทึก/, 'เมนูผู้ดูแล']) expect(screen.queryByRole('button', { name })).toBeNull()
})
