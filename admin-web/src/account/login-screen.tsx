import { AppError } from '@shop/shared/errors.ts'
import type { SessionState } from '@shop/web/session.ts'
import { signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { Alert, Button, Divider, Form, Input } from 'antd'
import { useState } from 'react'
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
  return state.cause instanceof AppError ? state.cause.message : 'กรุณาเข้าสู่ระบบเพื่อดูหน้านี้'
}

export function LoginScreen() {
  const session = useSession()
  const state = useSessionState()
  const [params] = useSearchParams()
  const [form] = Form.useForm<{ email: string; password: string }>()
  const [busy, setBusy] = useState<'password' | 'google' | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const target = targetOf(params)

  const enter = async (way: 'password' | 'google', work: () => Promise<unknown>) => {
    setBusy(way)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(signInProblemOf(error))
      setBusy(null)
    }
  }

  if (state.status === 'signedIn') return <Navigate to={target ?? '/'} replace />
  const notice = target && noticeOf(state)
  return (
    <main className="centre-page">
      <div className="card sign-in">
        <BrandMark />
        <h1>เข้าสู่ระบบ {SITE_NAME}</h1>
        {notice && !failure && <Alert type="info" showIcon title={notice} className="form-alert" />}
        <FailureNote title={failure} />
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          onFinish={({ email, password }) =>
            enter('password', () => session.signIn(provider => provider.signInWithPassword(email.trim(), password)))
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
          onClick={() =>
            enter('google', () =>
              session.signIn(provider => provider.signInWithGoogle((form.getFieldValue('email') ?? '').trim())),
            )
          }
        >
          เข้าสู่ระบบด้วย Google
        </Button>
      </div>
    </main>
  )
}
