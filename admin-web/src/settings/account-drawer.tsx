import { bankOf } from '@shop/shared/catalogue/banks.ts'
import {
  listManagedAccounts,
  type ManagedAccount,
  saveReceivingAccount,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input, Select, Switch } from 'antd'
import { useUndoable } from '../audit/use-undoable.tsx'
import { bankOptions } from '../bank-options.ts'
import { required } from '../ui/form-errors.ts'
import { digitsOf, promptPayKindOf } from './prompt-pay.ts'
import { RowDrawer } from './row-drawer.tsx'

interface Values {
  code: string | undefined
  accountNo: string
  accountName: string
  accountNameEn: string
  branch: string
  promptPayId: string
  isActive: boolean
}

const labels = {
  code: 'ธนาคาร',
  accountNo: 'เลขที่บัญชี (The Bank account number)',
  accountName: 'ชื่อบัญชี (The Bank account name)',
  accountNameEn: 'ชื่อบัญชีภาษาอังกฤษ (ไม่บังคับ)',
  branch: 'สาขา (ไม่บังคับ)',
  promptPayId: 'PromptPay (ไม่บังคับ)',
  isActive: 'ใช้งาน',
}

const valuesOf = (account: ManagedAccount | null): Values => ({
  code: account?.code,
  accountNo: account?.accountNo ?? '',
  accountName: account?.accountName ?? '',
  accountNameEn: account?.accountNameEn ?? '',
  branch: account?.branch ?? '',
  promptPayId: account?.promptPayId ?? '',
  isActive: account?.isActive ?? true,
})

const bodyOf = ({ code = '', accountNo, accountName, accountNameEn, branch, promptPayId, isActive }: Values) => ({
  code,
  accountName,
  branch,
  isActive,
  accountNameEn: accountNameEn.trim() || null,
  accountNo: digitsOf(accountNo),
  promptPayId: digitsOf(promptPayId) || null,
})

async function checkAccountNo(_: unknown, text: string) {
  if (text.trim() && !/^\d{6,20}$/.test(digitsOf(text))) throw new Error('เลขที่บัญชีต้องเป็นตัวเลข 6–20 หลัก')
}

async function checkPromptPay(_: unknown, text: string) {
  if (text.trim() && !promptPayKindOf(text))
    throw new Error('PromptPay ต้องเป็นเบอร์โทรศัพท์ 10 หลัก เลขประจำตัว 13 หลัก หรือ e-Wallet 15 หลัก')
}

/** Adds an account that customers transfer to, or changes one. */
export function AccountDrawer({ account, onClose }: { account: ManagedAccount | null; onClose: () => void }) {
  const queries = useQueryClient()
  const { save, tellSaved } = useUndoable()
  return (
    <RowDrawer<Values, ManagedAccount>
      title={account ? `แก้ไขบัญชี ${account.accountName}` : 'เพิ่มบัญชีรับโอน'}
      width={480}
      row={account}
      valuesOf={valuesOf}
      labels={labels}
      show={{ code: ({ code }) => code && bankOf(code).niceName }}
      send={(values, base) =>
        save(saveReceivingAccount, { body: { ...bodyOf(values), id: base?.id, version: base?.version } })
      }
      onSaved={async ({ accountName }) => {
        tellSaved(`บันทึก ${accountName} สำเร็จ`, { isNew: !account })
        onClose()
        await queries.invalidateQueries({ queryKey: [listManagedAccounts.path] })
      }}
      onClose={onClose}
    >
      <AccountFields />
    </RowDrawer>
  )
}

function AccountFields() {
  const promptPayId = Form.useWatch<string | undefined>('promptPayId') ?? ''
  return (
    <>
      <Form.Item name="code" label={labels.code} rules={[{ required: true, message: 'กรุณาเลือกธนาคาร' }]}>
        <Select autoFocus showSearch={{ optionFilterProp: 'label' }} placeholder="เลือกธนาคาร" options={bankOptions} />
      </Form.Item>
      <Form.Item
        name="accountNo"
        label={labels.accountNo}
        rules={[required('กรุณากรอกเลขที่บัญชี'), { validator: checkAccountNo }]}
      >
        <Input inputMode="numeric" maxLength={30} autoComplete="off" />
      </Form.Item>
      <Form.Item name="accountName" label={labels.accountName} rules={[required('กรุณากรอกชื่อบัญชี')]}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="accountNameEn"
        label={labels.accountNameEn}
        extra="ตามที่ธนาคารพิมพ์บนสลิป เช่น SOMCHAI JAIDEE ใช้เทียบชื่อผู้รับเมื่อสลิปไม่มีชื่อไทย ถ้าไม่กรอก สลิปแบบนี้จะรอพนักงานตรวจ"
        rules={[{ pattern: /^[ -~]*$/, message: 'กรุณากรอกชื่อเป็นตัวอักษรภาษาอังกฤษ' }]}
      >
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item name="branch" label={labels.branch}>
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="promptPayId"
        label={labels.promptPayId}
        extra={promptPayKindOf(promptPayId) ?? 'ลูกค้าจะเห็น QR ที่ระบุยอดให้แล้ว'}
        rules={[{ validator: checkPromptPay }]}
      >
        <Input inputMode="numeric" maxLength={25} autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="isActive"
        label={labels.isActive}
        extra="ปิดแล้ว ลูกค้าเลือกบัญชีนี้ไม่ได้ คำสั่งซื้อที่ทำไว้แล้วยังใช้บัญชีเดิม"
        valuePropName="checked"
      >
        <Switch />
      </Form.Item>
    </>
  )
}
