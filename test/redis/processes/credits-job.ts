/** What a process credits by one id, and how often it then requests. */
export interface CreditsJob {
  user: string;
  credits: number;
  units: number;
  requests: number;
}

export interface CreditsWork {
  admitted: number;
  paid: number;
}
