import { AppError, messageOf } from '@shop/shared/errors.ts'
import { asSeen } from '@shop/shared/typed-text.ts'
import { CAPS_LOCK_ON, useCapsLock } from '@shop/web/caps-lock.ts'
import type { SessionState } from '@shop/web/session.ts'
import { signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button, Divider, Form, Input } from 'antd'
import { Navigate, useSearchParams } from 'react-router-dom'
import { BrandMark, SITE_NAME } from '../ui/brand.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { useSession, useSessionState } from './session.tsx'
import './account.css'

/** Accepts only paths of this site, because a link must not send people elsewhere after they signed in. */
function targetOf(params: URLSearchParams): string | null {
  const to = params.get('to')
  return to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : null
}

/** Returns why somebody who wanted another page sees this one; null when they chose it. */
function noticeOf(state: SessionState): string | null {
  if (state.status !== 'signedOut' || state.cause === 'wish') return null
  return state.cause instanceof AppError ? messageOf(state.cause) : 'กรุณาเข้าสู่ระบบเพื่อดูหน้านี้'
}

export function LoginScreen() {
  const session = useSession()
  const state = useSessionState()
  const [params] = useSearchParams()
  const [form] = Form.useForm<{ email: string; password: string }>()
  const target = targetOf(params)
  const enter = useMutation({
    mutationFn: (way: 'password' | 'google') =>
      session.signIn(provider => {
        const { email = '', password } = form.getFieldsValue()
        const address = asSeen(email).trim()
        if (way === 'google') return provider.signInWithGoogle(address)
        return provider.signInWithPassword(address, password)
      }),
  })
  const reset = useMutation({ mutationFn: session.sendPasswordReset, onMutate: () => enter.reset() })
  const forgot = async () => {
    const { email } = await form.validateFields(['email'])
    reset.mutate(asSeen(email).trim())
  }
  const capsLock = useCapsLock()
  // The button stays busy after a success, until the session shows the next page.
  const busy = enter.isError ? undefined : enter.variables
  const error = enter.error ?? reset.error
  const failure = error && signInProblemOf(error)

  if (state.status === 'signedIn') return <Navigate to={target ?? '/'} replace />
  const notice = target && noticeOf(state)
  return (
    <main className="centre-page">
      <div className="card sign-in">
        <BrandMark />
        <h1>เข้าสู่ระบบ {SITE_NAME}</h1>
        {notice && !failure && <Alert type="info" showIcon title={notice} className="form-alert" />}
        <FailureNote title={failure} />
        {reset.isSuccess && !enter.isError && (
          <Alert
            type="success"
            showIcon
            role="status"
            className="form-alert"
            title={`ถ้า ${reset.variables} มีบัญชีอยู่ ลิงก์ตั้งรหัสผ่านใหม่ส่งไปที่อีเมลนั้นแล้ว`}
          />
        )}
        <Form form={form} layout="vertical" requiredMark={false} onFinish={() => enter.mutate('password')}>
          <Form.Item name="email" label="อีเมล" rules={[{ required: true, message: 'กรุณากรอกอีเมล' }]}>
            <Input size="large" type="email" autoComplete="username" inputMode="email" />
          </Form.Item>
          <Form.Item
            name="password"
            label="รหัสผ่าน"
            rules={[{ required: true, message: 'กรุณากรอกรหัสผ่าน' }]}
            extra={<span role="status">{capsLock.isOn && CAPS_LOCK_ON}</span>}
          >
            <Input.Password size="large" autoComplete="current-password" {...capsLock.keys} />
          </Form.Item>
          <Button type="primary" size="large" block htmlType="submit" loading={busy === 'password'}>
            เข้าสู่ระบบ
          </Button>
          <Button type="link" block loading={reset.isPending} onClick={() => void forgot().catch(() => undefined)}>
            ลืมรหัสผ่าน
          </Button>
        </Form>
        <Divider plain>หรือ</Divider>
        <Button size="large" block loading={busy === 'google'} onClick={() => enter.mutate('google')}>
          เข้าสู่ระบบด้วย Google
        </Button>
      </div>
    </main>
  )
}
