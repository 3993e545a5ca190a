import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceEdit } from '@shop/shared/catalogue/price-editing.ts'
import type { Satang } from '@shop/shared/money.ts'
import { App } from 'antd'
import { pricesBelowCost } from './delivery-draft.ts'

/** Asks before a price below the package's cost is saved; saves without asking when there is none. */
export function useLossQuestion() {
  const { modal } = App.useApp()
  return (prices: readonly PriceEdit[], costSatang: Satang | null, save: () => void) => {
    const below = pricesBelowCost(prices, costSatang)
    if (below.length === 0) return save()
    const names = below.map(({ payment }) => PAYMENT_METHOD[payment].name).join(', ')
    modal.confirm({
      title: 'ขายต่ำกว่าต้นทุน?',
      content: `ราคา ${names} ต่ำกว่าต้นทุน ทุกชิ้นที่ขายจะขาดทุน หากขาดทุนเกินที่เคยตกลงไว้ ราคาจะมีผลเมื่อผู้จัดการอีกคนยืนยัน`,
      okText: 'บันทึกทั้งที่ขาดทุน',
      okButtonProps: { danger: true },
      cancelText: 'กลับไปแก้',
      focusable: { autoFocusButton: 'cancel' },
      onOk: save,
    })
  }
}
