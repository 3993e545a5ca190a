import type { ThemeConfig } from 'antd'

const fontFamily =
  '"Noto Sans Thai Looped Variable", Thonburi, "Leelawadee UI", "Noto Sans Thai", system-ui, sans-serif'

/** The shop's colours and type for antd; the same values stand as custom properties in style.css. */
export const theme: ThemeConfig = {
  cssVar: {},
  token: {
    // Read once: who changes the setting of the system sees it with the next page load.
    motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    colorPrimary: '#2347c5',
    colorLink: '#2347c5',
    // antd's own colour is too pale on a table row under the pointer.
    colorLinkHover: '#1a3699',
    colorInfo: '#2347c5',
    colorSuccess: '#0b6e3f',
    colorWarning: '#8a4b00',
    colorError: '#b4231a',
    colorText: '#151922',
    colorTextSecondary: '#4b5263',
    colorTextTertiary: '#656d7f',
    colorTextPlaceholder: '#656d7f',
    colorBorder: '#868ea0',
    colorBorderSecondary: '#e4e7ed',
    colorBgLayout: '#f5f6f8',
    // The tints that antd derives from these dark colours look muddy.
    colorInfoBg: '#eef2fd',
    colorInfoBorder: '#c9d5f8',
    colorSuccessBg: '#e8f6ee',
    colorSuccessBorder: '#b7dfc8',
    colorWarningBg: '#fff4e0',
    colorWarningBorder: '#f0d7a8',
    colorErrorBg: '#fdedeb',
    colorErrorBorder: '#f3c5c0',
    borderRadius: 8,
    controlHeight: 32,
    fontSize: 14,
    fontFamily,
  },
  components: {
    Button: { defaultBorderColor: '#c3c9d6', primaryShadow: 'none' },
    Table: {
      headerBg: '#fafbfc',
      cellPaddingBlock: 9,
      cellPaddingInline: 12,
      headerColor: '#4b5263',
      headerSplitColor: 'transparent',
    },
    Layout: { siderBg: '#fff' },
    // White words stand on a switch that is off; antd's own grey is too pale for them.
    Switch: { colorTextQuaternary: '#656d7f', colorTextTertiary: '#4b5263' },
    // antd's own track has the same colour as the page.
    Segmented: { trackBg: '#e4e7ed', itemColor: '#363c4a' },
  },
}
