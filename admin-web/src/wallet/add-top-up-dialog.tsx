import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht, formatBahtShort } from '@shop/shared/money.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { addTopUp, listAllTransactions } from '@shop/shared/wallet/endpoints.ts'
import { checkTopUpAmount } from '@shop/shared/wallet/top-up.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { SlipUpload, slipIsSent } from '../upload/slip-upload.tsx'
import { type Wallet, WalletSelect } from './wallet-select.tsx'

interface Values {
  walletId: string
  amount: string
  receivingAccountId?: number
  slipId?: string | null
}

/** Checks an amount; an empty or unreadable one counts as zero, which is below every minimum. */
function checkAmount(wallet: Wallet | undefined, text: string | undefined) {
  if (!wallet) return
  const { balanceSatang, roomSatang, minTopUpSatang } = wallet
  const limits = { balanceSatang, maxAmountSatang: balanceSatang + roomSatang, minTopUpSatang }
  checkTopUpAmount(parseBaht(text ?? '') ?? 0, limits)
}

/** Staff enter a top-up for an agent, which then waits for approval like any other. */
export function AddTopUpDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (id: string) => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [wallet, setWallet] = useState<Wallet>()
  const [keys] = useState(createRequestKeys)
  const accounts = useQuery({ ...client.query(listReceivingAccounts), staleTime: 300_000 })
  const add = useMutation({
    mutationFn: ({ walletId, amount, slipId = null, receivingAccountId = undefined }: Values) => {
      const body = {
        walletId,
        slipId,
        amountSatang: parseBaht(amount) ?? 0,
        receivingAccountId: receivingAccountId ?? null,
      }
      return client.call(addTopUp, { body, idempotencyKey: keys.getKey(body) })
    },
    onSuccess: async ({ id }) => {
      message.success('บันทึกข้อมูลสำเร็จ')
      await queries.invalidateQueries({ queryKey: [listAllTransactions.path] })
      onAdded(id)
    },
  })
  return (
    <FormDialog<Values>
      title="เติมเงินให้ตัวแทน"
      okText="บันทึก"
      isBusy={add.isPending}
      failureTitle="บันทึกไม่สำเร็จ กรุณาลองใหม่อีกครั้ง"
      failure={add.error && messageOf(add.error)}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <Form.Item
        name="walletId"
        label="ตัวแทน"
        extra={wallet && limitsText(wallet)}
        rules={[{ required: true, message: 'กรุณาเลือก Agent' }]}
      >
        <WalletSelect onWallet={setWallet} />
      </Form.Item>
      <Form.Item
        name="amount"
        label="จำนวนเงิน"
        dependencies={['walletId']}
        rules={[
          { required: !wallet, message: 'กรุณากรอกจำนวนเงิน' },
          { validator: async (_, text) => checkAmount(wallet, text) },
        ]}
      >
        <Input inputMode="decimal" autoComplete="off" suffix="บาท" maxLength={16} />
      </Form.Item>
      <Form.Item name="receivingAccountId" label="บัญชีที่รับเงิน (ไม่บังคับ)">
        <Select
          allowClear
          placeholder="ไม่ระบุ"
          loading={accounts.isPending}
          options={accounts.data?.map(each => ({ value: each.id, label: `${each.bankName} ${each.accountNo}` }))}
        />
      </Form.Item>
      <SlipField />
    </FormDialog>
  )
}

function SlipField() {
  const hasSlip = Boolean(Form.useWatch('slipId'))
  return (
    <Form.Item
      name="slipId"
      label="สลิป"
      rules={[slipIsSent]}
      extra={hasSlip ? undefined : 'ต้องมีหลักฐานการชำระเงิน ถึงจะอนุมัติได้'}
    >
      <SlipUpload />
    </Form.Item>
  )
}

const limitsText = ({ balanceSatang, roomSatang, minTopUpSatang }: Wallet) =>
  `ยอดคงเหลือ ฿${formatBaht(balanceSatang)} · เติมได้ ฿${formatBahtShort(minTopUpSatang)} ถึง ฿${formatBahtShort(roomSatang)}`
