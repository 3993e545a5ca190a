import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { fake } from '@shop/web/testing.tsx'
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { InShop, shopConfig, startShopServer } from '../testing.tsx'
import { useClosedNote } from './closed-note.ts'
import { useContact } from './contact.ts'

const server = startShopServer()

async function contactOf(options: Partial<Record<OptionName, string>>, orderNo?: string) {
  server.use(fake(getPublicConfig, () => shopConfig({ COMPANY_NAME: 'บริษัท', ...options })))
  const { result } = renderHook(() => useContact(orderNo), { wrapper: InShop })
  await waitFor(() => expect(result.current.companyName).toBe('บริษัท'))
  return result.current
}

test('the one LINE account comes first, then phone and mail', async () => {
  const { ways, isByLine, hours } = await contactOf({
    CONTACT_PHONE: '02-123 4567',
    CONTACT_EMAIL: 'hello@kraam.example',
  })
  expect(ways.map(({ url }) => url)).toEqual([
    'https://line.me/R/ti/p/%40kraam',
    'tel:021234567',
    'mailto:hello@kraam.example',
  ])
  expect(isByLine).toBe(true)
  expect(hours).toBe('ทุกวัน 09:00–23:00 น.')
})

test('whoever asks about an order brings its number', async () => {
  const { ways } = await contactOf({ CONTACT_EMAIL: 'hello@kraam.example' }, 'KT2611-00000001')
  const text = encodeURIComponent('สอบถามคำสั่งซื้อ KT2611-00000001')
  expect(ways.map(({ url }) => url)).toEqual([
    `https://line.me/R/oaMessage/%40kraam/?${text}`,
    `mailto:hello@kraam.example?subject=${text}`,
  ])
})

test('a shop without LINE is asked by phone, and one without hours never closes', async () => {
  const { ways, isByLine, hours } = await contactOf({ LINE_OA_ID: '', CONTACT_PHONE: '021234567', OPENING_HOURS: '' })
  expect(ways).toEqual([{ label: '021234567', url: 'tel:021234567' }])
  expect(isByLine).toBe(false)
  expect(hours).toBe('ทุกวัน ตลอด 24 ชั่วโมง')
})

test.each([
  ['2026-11-20T02:00:00.000Z', null],
  ['2026-11-20T15:59:59.999Z', null],
  ['2026-11-20T16:00:00.000Z', 'ร้านเปิด 09:00\u00a0น. พรุ่งนี้ แล้วเริ่มเติมให้ตามลำดับ'],
  ['2026-11-20T18:00:00.000Z', 'ร้านเปิด 09:00\u00a0น. แล้วเริ่มเติมให้ตามลำดับ'],
])("at %s by the server's clock the note is: %s", async (nowDate, note) => {
  let asked = 0
  server.use(
    fake(getPublicConfig, () => {
      asked += 1
      return shopConfig({}, { nowDate })
    }),
  )
  const { result } = renderHook(useClosedNote, { wrapper: InShop })
  await waitFor(() => expect(asked).toBe(1))
  await waitFor(() => expect(result.current).toBe(note))
})
