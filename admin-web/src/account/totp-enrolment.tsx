import { enrolTotp } from '@shop/shared/account/endpoints.ts'
import { ENROLMENT_SECONDS } from '@shop/shared/account/totp.ts'
import { AppError, errorMessage, messageOf } from '@shop/shared/errors.ts'
import { isWrongPassword, signInProblemOf, WRONG_PASSWORD } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { Button, Form, Input, QRCode } from 'antd'
import { CopyButton } from '../ui/copy-button.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { CodeForm, ConfirmForm } from './code-form.tsx'
import { useClient, useMe, useSession } from './session.tsx'
import { browserKey, keepSessionKey } from './session-key.ts'

/**
 * Enrols a new authenticator app: asks for the current app's code if there is one, for a fresh proof if the server
 * wants one, shows the new secret and asks for its first code.
 */
export function TotpEnrolment({ hasApp = false, onConfirmed }: { hasApp?: boolean; onConfirmed?: () => void }) {
  const client = useClient()
  const enrol = useMutation({
    mutationFn: (code: string | undefined) => client.call(enrolTotp, { body: { code, browserKey: browserKey() } }),
    onSuccess: ({ sessionKey }) => keepSessionKey(sessionKey),
    gcTime: 0,
  })
  if (enrol.data) {
    return (
      <>
        <NewApp otpauthUri={enrol.data.otpauthUri} />
        <ConfirmForm onConfirmed={onConfirmed} />
        <Button type="link" block style={{ marginTop: 8 }} onClick={() => enrol.reset()}>
          ขอ QR ใหม่
        </Button>
      </>
    )
  }
  const wantsProof = enrol.error instanceof AppError && enrol.error.code === 'RECENT_SIGN_IN_REQUIRED'
  if (wantsProof) return <ProofForm onProven={() => enrol.mutate(enrol.variables)} />
  if (hasApp) return <CodeForm label="รหัส 6 หลักจากแอปที่ใช้อยู่" submitLabel="แสดง QR" check={enrol} />
  return (
    <>
      <FailureNote title={enrol.error && messageOf(enrol.error)} />
      <p className="muted" style={{ marginBottom: 16 }}>
        เตรียมแอปยืนยันตัวตน เช่น Google Authenticator หรือ Microsoft Authenticator ไว้ในโทรศัพท์ แล้วกดแสดง QR
      </p>
      <Button type="primary" size="large" block loading={enrol.isPending} onClick={() => enrol.mutate(undefined)}>
        แสดง QR
      </Button>
    </>
  )
}

/** Shows the secret once; people who can't scan it can type it. */
function NewApp({ otpauthUri }: { otpauthUri: string }) {
  const secret = new URL(otpauthUri).searchParams.get('secret') ?? ''
  return (
    <>
      <p className="muted">
        สแกน QR ด้วยแอปยืนยันตัวตน หรือกรอกรหัสลับนี้ในแอป แล้วกรอกรหัส 6 หลักที่แอปแสดงภายใน {ENROLMENT_SECONDS / 60} นาที
      </p>
      <div className="totp-qr">
        <QRCode
          value={otpauthUri}
          type="svg"
          size={200}
          errorLevel="L"
          bordered={false}
          aria-label="QR สำหรับแอปยืนยันตัวตน"
        />
      </div>
      <div className="row" style={{ marginBottom: 16 }}>
        <code className="grow totp-secret">{secret}</code>
        <CopyButton text={secret} what="รหัสลับ" />
      </div>
    </>
  )
}

/** Asks the signed-in person to prove who they are again, with their password or with Google. */
function ProofForm({ onProven }: { onProven: () => void }) {
  const session = useSession()
  const me = useMe()
  const hasPassword = me.providers.includes('password')
  const prove = useMutation({
    mutationFn: async ({ password }: { password: string }) => {
      if (hasPassword) await session.prove(password)
      else await session.signIn(provider => provider.signInWithGoogle(me.email ?? ''))
    },
    onSuccess: onProven,
  })
  const failure = isWrongPassword(prove.error) ? WRONG_PASSWORD : prove.error && signInProblemOf(prove.error)
  return (
    <Form<{ password: string }> layout="vertical" requiredMark={false} onFinish={fields => prove.mutate(fields)}>
      <p style={{ marginBottom: 16 }}>{errorMessage('RECENT_SIGN_IN_REQUIRED')}</p>
      <FailureNote title={failure} />
      {hasPassword && (
        <Form.Item name="password" label="รหัสผ่านปัจจุบัน" rules={[{ required: true, message: 'กรุณากรอกรหัสผ่านปัจจุบัน' }]}>
          <Input.Password size="large" autoComplete="current-password" />
        </Form.Item>
      )}
      <Button type="primary" size="large" block htmlType="submit" loading={prove.isPending}>
        {hasPassword ? 'ยืนยันรหัสผ่าน' : 'ยืนยันด้วย Google'}
      </Button>
    </Form>
  )
}
