import { expect, test } from 'vitest'
import { readQrSvg } from './qr-svg.ts'

const NS = 'xmlns="http://www.w3.org/2000/svg"'
const LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

test('plain drawings are shown as they are, without what stands before them', () => {
  const drawings = [
    `<svg ${NS} width="10" height="10" viewBox="0 0 10 10"><rect width="10" height="10" fill="#fff"/></svg>`,
    `<svg ${NS} ${LINK}><defs><path id="a" d="M0 0h1"/></defs><use xlink:href="#a" x='1'/></svg>`,
    `<svg ${NS}><style>.a{fill:url(#b)}</style><g class="a"><text>Thai QR &amp; more</text></g></svg>`,
    `<svg ${NS}><image href="data:image/png;base64,iVBORw0KGgo=" width="1"/></svg>`,
    `<svg ${NS}/>`,
  ]
  for (const drawing of drawings) expect(readQrSvg(drawing)).toBe(drawing)
  const [drawing] = drawings
  const doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
  expect(readQrSvg(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn -->\n${doctype}\n${drawing}\n`)).toBe(
    drawing,
  )
})

test.each([
  ['', 'nothing'],
  ['hello', 'text'],
  ['<html><svg></svg></html>', 'a page'],
  [`<svg ${NS}></svg><svg></svg>`, 'two'],
  [`<svg ${NS}></svg>hello`, 'text behind it'],
  [`<svg ${NS}><g></svg>`, 'a part that is not closed'],
  [`<svg ${NS}><g></svg></g>`, 'parts that overlap'],
  [`<svg ${NS}><script>alert(1)</script></svg>`, 'a script'],
  [`<svg ${NS}><SCRIPT/></svg>`, 'a script in capitals'],
  [`<svg ${NS}><s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script></svg>`, 'a script by another name'],
  [`<svg ${NS}><scr<!-- -->ipt>alert(1)</script></svg>`, 'a script around a comment'],
  [`<svg ${NS}><foreignObject><p>hello</p></foreignObject></svg>`, 'a page within'],
  [`<svg ${NS} onload="alert(1)"></svg>`, 'a handler'],
  [`<svg ${NS}><path OnClick='alert(1)'/></svg>`, 'a handler in capitals'],
  [`<svg ${NS}><path/onclick="alert(1)"/></svg>`, 'a handler behind a slash'],
  [`<svg ${NS} onload=alert(1)></svg>`, 'a handler without quotes'],
  [`<svg ${NS}><a href="https://evil.example"><path/></a></svg>`, 'a link'],
  [`<svg ${NS}><use href="https://evil.example/x.svg#a"/></svg>`, 'a part from elsewhere'],
  [`<svg ${NS} ${LINK}><image xlink:href="//evil.example/a.png"/></svg>`, 'a picture from elsewhere'],
  [`<svg ${NS}><use href="data:image/svg+xml;base64,PHN2Zz4="/></svg>`, 'a drawing within'],
  [`<svg ${NS}><use href="java&#115;cript:alert(1)"/></svg>`, 'a hidden address'],
  [`<svg ${NS}><set attributeName="href" to="javascript:alert(1)"/></svg>`, 'a change over time'],
  [`<svg ${NS}><style>@import "https://evil.example/a.css";</style></svg>`, 'a style from elsewhere'],
  [`<svg ${NS}><rect style="fill:url(https://evil.example/a)"/></svg>`, 'a filling from elsewhere'],
  [`<svg ${NS}><rect style="fill:u\\72l(https://evil.example/a)"/></svg>`, 'a filling that is hidden'],
  [`<svg xmlns="http://www.w3.org/1999/xhtml"></svg>`, 'another kind of document'],
  [`<!DOCTYPE svg [<!ENTITY a "b">]><svg ${NS}><text>&a;</text></svg>`, 'an entity'],
  [`<svg ${NS}><text>&a;</text></svg>`, 'an entity of elsewhere'],
  [`<svg ${NS}><![CDATA[<script>alert(1)</script>]]></svg>`, 'raw text'],
  [`<svg ${NS}><?php echo 1 ?></svg>`, 'a program'],
  [`<svg ${NS}>${'<g></g>'.repeat(50_000)}</svg>`, 'more than a code needs'],
])('%# refused', (text, what) => {
  expect(readQrSvg(text), what).toBeNull()
})

test('a long attribute without an end is refused at once', () => {
  const began = performance.now()
  expect(readQrSvg(`<svg ${'a="b" '.repeat(40_000)}`)).toBeNull()
  expect(readQrSvg(`<svg>${' '.repeat(200_000)}<`)).toBeNull()
  expect(performance.now() - began).toBeLessThan(20_000)
})
