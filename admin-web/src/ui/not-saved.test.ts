import { AppError } from '@shop/shared/errors.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { notSaved } from './not-saved.ts'

afterEach(() => vi.restoreAllMocks())

test('without a network the browser is named, not the shop', () => {
  const away = new AppError('UNAVAILABLE')
  expect(notSaved(away)).toContain('ระบบไม่พร้อมให้บริการ')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  expect(notSaved(away)).toMatch(/ออฟไลน์อยู่/)
  expect(notSaved(away)).not.toContain('ระบบไม่พร้อม')
  // What the shop refused, it refused.
  expect(notSaved(new AppError('OWN_ORDER'))).not.toContain('ออฟไลน์')
})
