import { agentClassOf, productOf } from './agent.js';

describe('agentClassOf', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'browser'],
    ['Opera/9.80 (Windows NT 6.1) Presto/2.12.388 Version/12.18', 'browser'],
    ['okhttp/4.12.0', 'browser'],
    ['Shop/3.2 CFNetwork/1494.0.7 Darwin/23.4.0', 'browser'],
    ['', 'none'],
    ['Feedly/1.0 (+http://www.feedly.com/fetcher.html)', 'program'],
    ['FreshRSS/1.24.3 (Linux; https://freshrss.org)', 'program'],
    ['Mozilla/5.0 Jorgee', 'program'],
    ['Mozilla/5.0 zgrab/0.x', 'program'],
    ['Custom-AsyncHttpClient', 'program'],
    ['Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)', 'program'],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/130.0.0.0 Safari/537.36', 'program'],
    ['Mozilla/5.0 (compatible; someone@example.com)', 'program'],
    ['Uptime-Kuma/1.23.16', 'monitor'],
    ['Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', 'monitor'],
    ['kube-probe/1.31', 'monitor'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'search engine'],
  ])('takes %j for a %s', (agent, agentClass) => {
    expect(agentClassOf(agent)).toBe(agentClass);
  });
});

describe('productOf', () => {
  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Googlebot/2.1'],
    ['Uptime-Kuma/1.23.16', 'Uptime-Kuma/1.23.16'],
    ['FreshRSS/1.24.3 (Linux; https://freshrss.org)', 'FreshRSS/1.24.3'],
  ])('names the product of %j', (agent, product) => {
    expect(productOf(agent)).toBe(product);
  });
});
