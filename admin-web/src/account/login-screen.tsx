import { messageOf } from '@shop/shared/errors.ts'
import { Alert, Button, Divider, Form, Input } from 'antd'
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'
import { BrandMark, SITE_NAME } from '../frame/brand.tsx'
import { SignInError } from './identity.ts'
import { useSession, useSessionState } from './session-context.tsx'

/** Only paths of this site: a link must not send people elsewhere after they signed in. */
function targetOf(params: URLSearchParams): string | null {
  const to = params.get('to')
  return to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : null
}

export function LoginScreen() {
  const session = useSession()
  const state = useSessionState()
  const [params] = useSearchParams()
  const [form] = Form.useForm<{ email: string; password: string }>()
  const [busy, setBusy] = useState<'password' | 'google' | null>(null)
  const [failure, setFailure] = useState('')
  const target = targetOf(params)

  const enter = async (way: 'password' | 'google', work: () => Promise<void>) => {
    setBusy(way)
    setFailure('')
    try {
      await work()
    } catch (error) {
      setFailure(error instanceof SignInError ? error.message : messageOf(error))
      setBusy(null)
    }
  }

  if (state.status === 'signedIn') return <Navigate to={target ?? '/'} replace />
  const notice = target && state.status === 'signedOut' ? state.notice : null
  return (
    <main className="centre-page">
      <div className="card sign-in">
        <BrandMark />
        <h1>เข้าสู่ระบบ {SITE_NAME}</h1>
        {notice && !failure && <Alert type="info" showIcon title={notice} style={{ marginBottom: 16 }} />}
        {failure && <Alert type="error" showIcon role="alert" title={failure} style={{ marginBottom: 16 }} />}
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          onFinish={({ email, password }) =>
            enter('password', () => session.signInWithPassword(email.trim(), password))
          }
        >
          <Form.Item name="email" label="อีเมล" rules={[{ required: true, message: 'กรุณากรอกอีเมล' }]}>
            <Input size="large" type="email" autoComplete="username" inputMode="email" />
          </Form.Item>
          <Form.Item name="password" label="รหัสผ่าน" rules={[{ required: true, message: 'กรุณากรอกรหัสผ่าน' }]}>
            <Input.Password size="large" autoComplete="current-password" />
          </Form.Item>
          <Button type="primary" size="large" block htmlType="submit" loading={busy === 'password'}>
            เข้าสู่ระบบ
          </Button>
        </Form>
        <Divider plain>หรือ</Divider>
        <Button
          size="large"
          block
          loading={busy === 'google'}
          onClick={() => enter('google', () => session.signInWithGoogle((form.getFieldValue('email') ?? '').trim()))}
        >
          เข้าสู่ระบบด้วย Google
        </Button>
      </div>
    </main>
  )
}
