import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { InShop, shopConfig, startShopServer } from '../testing.tsx'
import PrivacyScreen from './privacy-screen.tsx'

const server = startShopServer()

test('the page names who answers for the data, and how to reach them', async () => {
  server.use(
    fake(getPublicConfig, () => shopConfig({ COMPANY_ADDRESS: '99 ถนนสีลม', CONTACT_EMAIL: 'hello@kraam.example' })),
  )
  render(<PrivacyScreen />, { wrapper: InShop })
  expect(await screen.findByText(/บริษัท คราม เติมเกม จำกัด\s+99 ถนนสีลม/)).toBeTruthy()
  expect(screen.getByRole('link', { name: /@kraam.example/ }).getAttribute('href')).toBe('mailto:hello@kraam.example')
  expect(screen.getByRole('heading', { name: 'สิทธิของคุณ' })).toBeTruthy()
})
