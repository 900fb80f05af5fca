import { createLimiter, redisStore } from './dist/esm/index.js';
import { Redis } from 'ioredis'; import { spawn } from 'node:child_process';
const port=7940; const c=spawn('/tmp/r/redis-server',['--port',port,'--save',''],{stdio:'ignore'}); await new Promise(r=>setTimeout(r,300));
const opts={port,enableOfflineQueue:false,maxRetriesPerRequest:0,socketTimeout:2000,lazyConnect:true};
const a=new Redis(opts), b=new Redis(opts); await a.connect(); await b.connect();
const store=redisStore(b); const lim=createLimiter({store,denyCache:false,tiers:[{name:'t',key:s=>s,limit:1e9,window:'1m',algorithm:'fixed-window'}]});
const tb=createLimiter({store,tiers:[{name:'b',key:s=>s,limit:1e6,window:'1s',algorithm:'token-bucket'}]});
const sw=createLimiter({store,tiers:[{name:'w',key:s=>s,limit:1e5,window:'1m'}]});
const src="local c=redis.call('INCR',KEYS[1]) if c==1 then redis.call('PEXPIRE',KEYS[1],ARGV[1]) end return c"; const sha=await a.script('LOAD',src);
const keys=Array.from({length:10000},(_,i)=>'user:'+i); let n=0;
const bare=()=>a.evalsha(sha,1,keys[n++%10000],60000);
const mk=l=>()=>l.consume(keys[n++%10000]);
const src3={bare,fw:mk(lim),tb:mk(tb),sw:mk(sw)};
async function slice(f,conc,ms){const ts=[];const end=performance.now()+ms;const cpu=process.cpuUsage();await Promise.all(Array.from({length:conc},async()=>{while(performance.now()<end){const t=performance.now();const d=await f();if(d.source&&d.source!=='redis')throw new Error(d.source);ts.push(performance.now()-t)}}));const u=process.cpuUsage(cpu);ts.sort((x,y)=>x-y);return{rate:ts.length/ms*1000,p50:ts[ts.length>>1]*1000,cpu:(u.user+u.system)/ts.length}}
if(1){const end=performance.now()+6000;await Promise.all(Array.from({length:64},async()=>{while(performance.now()<end){await lim.consume(keys[n++%10000])}}));console.log(n,"checks",(process.cpuUsage().user+process.cpuUsage().system)/n)}

process.on('exit',()=>c.kill('SIGKILL'));process.exit();
