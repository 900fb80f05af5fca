// Loaded before a program that listens on port 3000 and does not end. Gives it a free port, sends 101 requests, prints
// their statuses and ends it.
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function (port) {
  if (port !== 3000) throw new Error(`port ${port}`);
  return listen.call(this, 0, '127.0.0.1', async () => {
    const statuses = [];
    for (let request = 0; request < 101; request += 1) {
      statuses.push((await fetch(`http://127.0.0.1:${this.address().port}`)).status);
    }
    console.log(JSON.stringify(statuses));
    process.exit();
  });
};
