import { openOperation } from '../../operation.ts'
import { chooseLanguage } from '../verification-return/present-problem.ts'
import { renderVerify, VERIFY_HEADERS } from './page.ts'

export const showVerify = openOperation('showVerify', 'GET /verify', {
  undocumented: true,
  isOffered: ({ app }) => app.findProvenance !== undefined,
  summary: 'Page that tells a visitor whether a file was made here',
  replies: { 200: { description: 'A page.', contentType: 'text/html' } },
  handle: () => (request, reply) =>
    void reply
      .code(200)
      .headers(VERIFY_HEADERS)
      .send(renderVerify(chooseLanguage(request.headers['accept-language']))),
})
