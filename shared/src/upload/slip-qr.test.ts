import { expect, test } from 'vitest'
import { readSlipQr } from './slip-qr.ts'

test('bank slips are told apart by sending bank and reference, exactly as printed', () => {
  expect(readSlipQr('004000060000010103002021900021231231212000115102TH91049C30\n')).toEqual({
    kind: 'slip',
    sendingBank: '002',
    reference: '0002123123121200011',
  })
  expect(readSlipQr('00460006000001010301402252026112009150000TESTref015102TH9104ABEF')).toMatchObject({
    sendingBank: '014',
    reference: '2026112009150000TESTref01',
  })
  expect(readSlipQr('004600060000010103001022512345678901234567890123455102TH91048DC')).toMatchObject({
    sendingBank: '001',
  })
})

test('a TrueMoney slip counts too', () => {
  expect(readSlipQr('00480002010102010203P2P0313TXN00012345670408250120249104b425')).toEqual({
    kind: 'slip',
    sendingBank: 'truemoney',
    reference: 'TXN0001234567',
  })
})

test("the shop's own payment QR is recognised as such, anything else is nothing", () => {
  const payment = '00020101021229370016A000000677010111011300668123456785303764540529.075802TH63049715'
  expect(readSlipQr(payment)).toEqual({ kind: 'payment' })
  expect(readSlipQr('https://example.com')).toBeNull()
  const cardTerminal = '00020101021226380008A00000030110040123456789013520458125303764540529.075802TH6304D00D'
  expect(readSlipQr(cardTerminal)).toBeNull()
  expect(readSlipQr(`see ${payment}`)).toBeNull()
  expect(readSlipQr('A000000677')).toBeNull()
  expect(readSlipQr('004000060000010103002021900021231231212000115102TH9104FFFF')).toBeNull()
})
